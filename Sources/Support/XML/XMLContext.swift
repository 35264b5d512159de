// SPDX-License-Identifier: Apache-2.0

import CXML2

/// One libxml2 parser context, used for many documents one after the other.
///
/// `@unchecked`: one owner at a time; ``XMLParser`` hands it over under its lock.
final class XMLContext: @unchecked Sendable {
    /// libxml2 remembers every name it has seen in a context; these bounds make it forget.
    private static let longestLife = (documents: 1000, bytes: 4 << 20)

    /// The bytes are UTF-8 by now, whatever the declaration says.
    ///
    /// Entities are replaced, for else `&amp;` in an
    /// attribute would come out as `&#38;`; with DOCTYPE refused there are but the five.
    private static let options = Int32(
        XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOENT.rawValue
    )

    private let limits: XMLLimits
    private var context: xmlParserCtxtPtr?
    private var documents = 0
    private var bytes = 0

    // Of the document being parsed.
    private var handler: (any XMLHandler)?
    private var failure: (any Error)?
    private var depth = 0
    private var elements = 0
    private var textLength = 0

    init?(limits: XMLLimits) {
        self.limits = limits
        var callbacks = Self.callbacks
        context = xmlCreatePushParserCtxt(&callbacks, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        if context == nil { return nil }
    }

    deinit { xmlFreeParserCtxt(context) }

    /// Whether it has done its share and is better replaced.
    var isWorn: Bool { documents >= Self.longestLife.documents || bytes >= Self.longestLife.bytes }

    /// Parses one document, without a NUL and in UTF-8.
    func parse(_ document: UnsafeBufferPointer<UInt8>, _ handler: any XMLHandler) throws {
        begin(document.count, handler)
        defer { self.handler = nil }
        guard xmlCtxtResetPush(context, nil, 0, nil, nil) == 0 else { throw XMLError("out of memory") }
        xmlCtxtUseOptions(context, Self.options)
        feed(document)
        if let failure { throw failure }
        guard context?.pointee.wellFormed == 1, depth == 0, elements > 0 else {
            throw error("the document is not well-formed")
        }
    }

    private func begin(_ size: Int, _ handler: any XMLHandler) {
        documents += 1
        bytes += size
        self.handler = handler
        failure = nil
        depth = 0
        elements = 0
        textLength = 0
    }

    private func feed(_ document: UnsafeBufferPointer<UInt8>) {
        var rest = document[...]
        while failure == nil {
            let part = rest.prefix(limits.markup)
            rest = rest.dropFirst(part.count)
            part.withMemoryRebound(to: CChar.self) { part in
                _ = xmlParseChunk(context, part.baseAddress, Int32(part.count), rest.isEmpty ? 1 : 0)
            }
            if rest.isEmpty { return }
            if busd_xml_pending(context) > limits.markup { return fail("a tag, comment or CDATA section is too long") }
        }
    }

    // MARK: Events

    private func start(_ name: XMLName, _ attributes: XMLAttributes, declarations: Int) {
        guard failure == nil else { return }
        depth += 1
        elements += 1
        textLength = 0
        if depth > limits.depth { return fail("elements are nested too deep") }
        if elements > limits.elements { return fail("there are too many elements") }
        if attributes.count + declarations > limits.attributes { return fail("an element has too many attributes") }
        if name.local.count > limits.name { return fail("a name is too long") }
        attempt { try $0.startElement(name, attributes) }
    }

    private func end() {
        guard failure == nil else { return }
        depth -= 1
        textLength = 0
        attempt { try $0.endElement() }
    }

    private func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard failure == nil else { return }
        textLength += bytes.count
        if textLength > limits.text { return fail("a text is too long") }
        attempt { try $0.text(bytes) }
    }

    private func attempt(_ call: (any XMLHandler) throws -> Void) {
        guard let handler else { return }
        do { try call(handler) } catch { stop(error) }
    }

    private func fail(_ message: String) { stop(error(message)) }

    private func stop(_ error: any Error) {
        if failure == nil { failure = error }
        xmlStopParser(context)
    }

    private func error(_ message: String) -> XMLError {
        let (line, column) = (xmlSAX2GetLineNumber(context), xmlSAX2GetColumnNumber(context))
        return XMLError(message, line: Int(max(line, 1)), column: Int(max(column, 1)))
    }

    private func report(_ problem: xmlError) {
        // Warnings are about style, for instance a relative namespace.
        guard failure == nil, problem.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
        let text = problem.message.map { String(cString: $0) } ?? "not well-formed"
        let message = String(text.prefix(200).split(whereSeparator: \.isNewline).joined(separator: " "))
        stop(XMLError(message, line: max(Int(problem.line), 1), column: max(Int(problem.int2), 1)))
    }

    // MARK: Callbacks

    /// Hands the context to a callback's work; `parse` keeps it alive, so that no event counts a reference to it.
    private static func with(_ raw: UnsafeMutableRawPointer?, _ body: (XMLContext) -> Void) {
        guard let raw else { return }
        Unmanaged<XMLContext>.fromOpaque(raw)._withUnsafeGuaranteedRef(body)
    }

    private static var callbacks: xmlSAXHandler {
        var sax = xmlSAXHandler()
        sax.initialized = UInt32(XML_SAX2_MAGIC)
        sax.startElementNs = { raw, local, _, namespace, declarations, _, count, _, attributes in
            let name = XMLName(local: terminated(local), namespace: terminated(namespace))
            let attributes = XMLAttributes(fields: attributes, count: Int(count))
            XMLContext.with(raw) { $0.start(name, attributes, declarations: Int(declarations)) }
        }
        sax.endElementNs = { raw, _, _, _ in XMLContext.with(raw) { $0.end() } }
        let characters: charactersSAXFunc = { raw, text, count in
            XMLContext.with(raw) { $0.text(UnsafeBufferPointer(start: text, count: Int(count))) }
        }
        sax.characters = characters
        sax.ignorableWhitespace = characters
        sax.cdataBlock = characters
        sax.internalSubset = { raw, _, _, _ in XMLContext.with(raw) { $0.fail("a DOCTYPE is not allowed") } }
        sax.serror = { raw, problem in
            if let problem { XMLContext.with(raw) { $0.report(problem.pointee) } }
        }
        return sax
    }
}
