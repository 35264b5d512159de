// SPDX-License-Identifier: Apache-2.0

import Bus
import CYAML

/// A forward-only reader over libyaml's event stream.
///
/// libyaml keeps the addresses of its parser struct and of the input, so both live in memory that this type owns. No
/// C memory leaves ``next()``: text is copied out first.
struct EventReader: ~Copyable {
    struct Event {
        enum Kind {
            case scalar(String, isQuoted: Bool)
            case listStart(isFlow: Bool), listEnd, mapStart, mapEnd
            case alias(String)
            case documentStart, other, end
        }

        var kind: Kind
        var mark: SourceMark
        var anchor: String?
        var tag: String?
    }

    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let source: SourceText

    init(_ source: SourceText) throws(ConfigurationError) {
        self.source = source
        let bytes = source.text.utf8
        input = .allocate(capacity: max(1, bytes.count))
        _ = input.initialize(fromContentsOf: bytes)
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) == 1 else {
            throw ConfigurationError(at: SourceMark(file: source.file), "out of memory")
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        // Safe after a failed initialisation too: the struct was zeroed.
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// Returns the next event; after `.end` there is nothing more to ask for.
    func next() throws(ConfigurationError) -> Event {
        var raw = yaml_event_t()
        guard yaml_parser_parse(parser, &raw) == 1 else { throw problem() }
        defer { yaml_event_delete(&raw) }
        return event(raw)
    }

    private func event(_ raw: yaml_event_t) -> Event {
        var event = Event(kind: .other, mark: mark(raw.start_mark))
        switch raw.type {
        case YAML_SCALAR_EVENT:
            let scalar = raw.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let isQuoted = scalar.style != YAML_PLAIN_SCALAR_STYLE
            event.kind = .scalar(String(decoding: bytes, as: UTF8.self), isQuoted: isQuoted)
            event.anchor = text(scalar.anchor)
            event.tag = text(scalar.tag)
        case YAML_SEQUENCE_START_EVENT:
            event.kind = .listStart(isFlow: raw.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE)
            event.anchor = text(raw.data.sequence_start.anchor)
            event.tag = text(raw.data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT:
            event.kind = .mapStart
            event.anchor = text(raw.data.mapping_start.anchor)
            event.tag = text(raw.data.mapping_start.tag)
        case YAML_ALIAS_EVENT: event.kind = .alias(text(raw.data.alias.anchor) ?? "")
        case YAML_SEQUENCE_END_EVENT: event.kind = .listEnd
        case YAML_MAPPING_END_EVENT: event.kind = .mapEnd
        case YAML_DOCUMENT_START_EVENT: event.kind = .documentStart
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: event.kind = .end
        default: break
        }
        return event
    }

    private func text(_ raw: UnsafeMutablePointer<yaml_char_t>?) -> String? { raw.map { String(cString: $0) } }

    private func mark(_ raw: yaml_mark_t) -> SourceMark {
        SourceMark(file: source.file, line: Int(raw.line) + 1, column: Int(raw.column) + 1)
    }

    private func problem() -> ConfigurationError {
        let state = parser.pointee
        let problem = state.problem.map { String(cString: $0) } ?? "out of memory"
        let context = state.context.map { (text: String(cString: $0), mark: mark(state.context_mark)) }
        return SyntaxProblem(problem, at: mark(state.problem_mark), while: context, in: source).error
    }
}
