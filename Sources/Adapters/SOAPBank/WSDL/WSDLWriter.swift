// SPDX-License-Identifier: Apache-2.0

import XML

/// Writes the WSDL of a service as the field's Java servers (Apache CXF) write theirs, so that clients built from those
/// find the names, order and namespaces they know.
struct WSDLWriter {
    private var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    private var depth = 0
    private let service: ServiceDescription
    private let namespace: String

    /// The WSDL of a service that is called at an address.
    static func text(of service: ServiceDescription, address: String) -> String {
        var writer = Self(service)
        writer.write(address: escaped(address))
        return writer.text
    }

    private init(_ service: ServiceDescription) {
        self.service = service
        namespace = Self.escaped(service.namespace)
    }

    private mutating func write(address: String) {
        let name = service.name
        element("wsdl:definitions", "\(namespaces) name=\"\(name)\" targetNamespace=\"\(namespace)\"") { wsdl in
            wsdl.element("wsdl:types") { $0.writeSchema() }
            wsdl.writeMessages()
            wsdl.element("wsdl:portType", "name=\"\(name)\"") { portType in
                for operation in portType.service.operations { portType.write(operation) }
            }
            wsdl.element("wsdl:binding", "name=\"\(name)SoapBinding\" type=\"tns:\(name)\"") { $0.writeBinding() }
            wsdl.element("wsdl:service", "name=\"\(name)\"") { service in
                service.element("wsdl:port", "binding=\"tns:\(name)SoapBinding\" name=\"\(name)Port\"") { port in
                    port.line("<soap:address location=\"\(address)\"/>")
                }
            }
        }
    }

    private var namespaces: String {
        let common = [
            ("wsdl", "http://schemas.xmlsoap.org/wsdl/"), ("tns", namespace),
            ("soap", "http://schemas.xmlsoap.org/wsdl/soap/"),
        ]
        let addressing = [
            ("ns1", "http://schemas.xmlsoap.org/soap/http"), ("wsam", "http://www.w3.org/2007/05/addressing/metadata"),
            ("wsaw", "http://www.w3.org/2006/05/addressing/wsdl"),
        ]
        let all =
            service.hasAddressing ? [("xsd", "http://www.w3.org/2001/XMLSchema")] + common + addressing : common
        return all.map { "xmlns:\($0)=\"\($1)\"" }.joined(separator: " ")
    }

    // MARK: Types

    private mutating func writeSchema() {
        let attributes = """
            xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="unqualified" \
            targetNamespace="\(namespace)" version="1.0"
            """
        element("xs:schema", attributes) { schema in
            let names = schema.service.operations.flatMap { [$0.name, "\($0.name)Response"] } + schema.service.faults
            for name in names { schema.line("<xs:element name=\"\(name)\" type=\"tns:\(name)\"/>") }
            for definition in schema.service.types { schema.write(definition) }
        }
    }

    private mutating func write(_ definition: ServiceDescription.Definition) {
        switch definition {
        case .fields(let name, let fields):
            element("xs:complexType", "name=\"\(name)\"") { $0.writeSequence(fields) }
        case .words(let name, let words):
            element("xs:simpleType", "name=\"\(name)\"") { type in
                type.element("xs:restriction", "base=\"xs:string\"") { restriction in
                    for word in words { restriction.line("<xs:enumeration value=\"\(word)\"/>") }
                }
            }
        }
    }

    private mutating func writeSequence(_ fields: [ServiceDescription.Field]) {
        element("xs:sequence") { sequence in for field in fields { sequence.write(field) } }
    }

    private mutating func write(_ field: ServiceDescription.Field) {
        let bounds = (field.isRepeated ? "maxOccurs=\"unbounded\" " : "") + (field.isOptional ? "minOccurs=\"0\" " : "")
        let attributes = "\(bounds)name=\"\(field.name)\""
        switch field.kind {
        case .named(let type): line("<xs:element \(attributes) type=\"\(type)\"/>")
        case .map(let value):
            element("xs:element", attributes) { map in
                map.element("xs:complexType") { type in
                    type.element("xs:sequence") { sequence in
                        sequence.element("xs:element", "maxOccurs=\"unbounded\" minOccurs=\"0\" name=\"entry\"") {
                            $0.element("xs:complexType") { $0.writeSequence([.maybe("key"), .maybe("value", value)]) }
                        }
                    }
                }
            }
        }
    }

    // MARK: Messages and operations

    private mutating func writeMessages() {
        for operation in service.operations {
            writeMessage(operation.name, part: "parameters")
            writeMessage("\(operation.name)Response", part: "parameters")
        }
        for fault in service.faults { writeMessage(fault, part: fault) }
    }

    private mutating func writeMessage(_ name: String, part: String) {
        element("wsdl:message", "name=\"\(name)\"") { message in
            message.line("<wsdl:part element=\"tns:\(name)\" name=\"\(part)\"/>")
        }
    }

    private mutating func write(_ operation: ServiceDescription.Operation) {
        element("wsdl:operation", "name=\"\(operation.name)\"") { writer in
            writer.writeMessage("input", operation.name)
            writer.writeMessage("output", "\(operation.name)Response")
            if let fault = operation.fault {
                writer.line("<wsdl:fault message=\"tns:\(fault)\" name=\"\(fault)\"/>")
            }
        }
    }

    private mutating func writeMessage(_ direction: String, _ name: String) {
        let action = "\(namespace)\(service.name)/\(name)"
        let actions = service.hasAddressing ? " wsam:Action=\"\(action)\" wsaw:Action=\"\(action)\"" : ""
        line("<wsdl:\(direction) message=\"tns:\(name)\" name=\"\(name)\"\(actions)/>")
    }

    private mutating func writeBinding() {
        line("<soap:binding style=\"document\" transport=\"http://schemas.xmlsoap.org/soap/http\"/>")
        if service.hasAddressing { line("<wsaw:UsingAddressing wsdl:required=\"false\"/>") }
        for operation in service.operations {
            element("wsdl:operation", "name=\"\(operation.name)\"") { writer in
                writer.line("<soap:operation soapAction=\"\" style=\"document\"/>")
                for (direction, name) in [("input", operation.name), ("output", "\(operation.name)Response")] {
                    writer.element("wsdl:\(direction)", "name=\"\(name)\"") { $0.line("<soap:body use=\"literal\"/>") }
                }
                guard let fault = operation.fault else { return }
                writer.element("wsdl:fault", "name=\"\(fault)\"") { writer in
                    writer.line("<soap:fault name=\"\(fault)\" use=\"literal\"/>")
                }
            }
        }
    }

    // MARK: Lines

    private mutating func element(_ name: String, _ attributes: String = "", _ content: (inout Self) -> Void) {
        line("<\(name)\(attributes.isEmpty ? "" : " ")\(attributes)>")
        depth += 1
        content(&self)
        depth -= 1
        line("</\(name)>")
    }

    private mutating func line(_ content: String) {
        text += String(repeating: "  ", count: depth) + content + "\n"
    }

    private static func escaped(_ text: String) -> String {
        var writer = XMLWriter(capacity: 128)
        writer.text(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
