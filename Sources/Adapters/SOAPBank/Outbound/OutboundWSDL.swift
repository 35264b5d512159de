// SPDX-License-Identifier: Apache-2.0

import XML

/// The description of the service that a bank implements, as the field's Java servers would write it.
///
/// Field names, their order and the exception are those of the original documentation.
enum OutboundWSDL {
    private static let exception = "BankClientNotExistsException"

    /// The WSDL of a service that is called at this address.
    static func text(address: String, namespace: String) -> String {
        let operations = BankCall.Operation.allCases
        let namespace = escaped(namespace)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:tns="\(namespace)" \
            xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" name="SBIOutboundWebService" \
            targetNamespace="\(namespace)">
              <wsdl:types>
                <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="unqualified" \
            targetNamespace="\(namespace)" version="1.0">
            \(operations.map(elements).joined())\
                  <xs:element name="\(exception)" type="tns:\(exception)"/>
            \(operations.map(types).joined())\
            \(results)
                </xs:schema>
              </wsdl:types>
            \(operations.map(messages).joined())\
              <wsdl:message name="\(exception)">
                <wsdl:part element="tns:\(exception)" name="\(exception)"/>
              </wsdl:message>
              <wsdl:portType name="SBIOutboundWebService">
            \(operations.map(operation).joined())\
              </wsdl:portType>
              <wsdl:binding name="SBIOutboundWebServiceSoapBinding" type="tns:SBIOutboundWebService">
                <soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
            \(operations.map(binding).joined())\
              </wsdl:binding>
              <wsdl:service name="SBIOutboundWebService">
                <wsdl:port binding="tns:SBIOutboundWebServiceSoapBinding" name="SBIOutboundWebServicePort">
                  <soap:address location="\(escaped(address))"/>
                </wsdl:port>
              </wsdl:service>
            </wsdl:definitions>

            """
    }

    private static func escaped(_ text: String) -> String {
        var writer = XMLWriter(capacity: 128)
        writer.text(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    // MARK: Types

    private static func elements(_ operation: BankCall.Operation) -> String {
        """
              <xs:element name="\(operation.name)" type="tns:\(operation.name)"/>
              <xs:element name="\(operation.name)Response" type="tns:\(operation.name)Response"/>

        """
    }

    private static func types(_ operation: BankCall.Operation) -> String {
        let result = operation.resultType.map { "          <xs:element name=\"return\" type=\"tns:\($0)\"/>\n" }
        return sequence("\(operation.name)", operation.fields.map(field).joined())
            + sequence("\(operation.name)Response", result ?? "")
    }

    private static func field(_ name: String, isRepeated: Bool) -> String {
        "          <xs:element \(isRepeated ? "maxOccurs=\"unbounded\" " : "")name=\"\(name)\" type=\"xs:string\"/>\n"
    }

    private static func sequence(_ name: String, _ elements: String) -> String {
        """
              <xs:complexType name="\(name)">
                <xs:sequence>
        \(elements)        </xs:sequence>
              </xs:complexType>

        """
    }

    private static let results = """
              <xs:complexType name="authorizedResult">
                <xs:sequence>
                  <xs:element name="authorized" type="xs:boolean"/>
                </xs:sequence>
              </xs:complexType>
              <xs:complexType name="authorizationResult">
                <xs:sequence>
                  <xs:element name="result" type="tns:authorizationStatus"/>
                </xs:sequence>
              </xs:complexType>
              <xs:complexType name="verificationResult">
                <xs:sequence>
                  <xs:element name="result" type="tns:verificationStatus"/>
                </xs:sequence>
              </xs:complexType>
              <xs:complexType name="BankClientNotExistsException">
                <xs:sequence>
                  <xs:element minOccurs="0" name="message" type="xs:string"/>
                </xs:sequence>
              </xs:complexType>
              <xs:simpleType name="authorizationStatus">
                <xs:restriction base="xs:string">
                  <xs:enumeration value="OK"/>
                  <xs:enumeration value="ERROR"/>
                </xs:restriction>
              </xs:simpleType>
              <xs:simpleType name="verificationStatus">
                <xs:restriction base="xs:string">
                  <xs:enumeration value="OK"/>
                  <xs:enumeration value="VERIFICATION_FAILED"/>
                </xs:restriction>
              </xs:simpleType>
        """

    // MARK: Messages and operations

    private static func messages(_ operation: BankCall.Operation) -> String {
        """
          <wsdl:message name="\(operation.name)">
            <wsdl:part element="tns:\(operation.name)" name="parameters"/>
          </wsdl:message>
          <wsdl:message name="\(operation.name)Response">
            <wsdl:part element="tns:\(operation.name)Response" name="parameters"/>
          </wsdl:message>

        """
    }

    private static func operation(_ operation: BankCall.Operation) -> String {
        let fault = "      <wsdl:fault message=\"tns:\(exception)\" name=\"\(exception)\"/>\n"
        return """
                <wsdl:operation name="\(operation.name)">
                  <wsdl:input message="tns:\(operation.name)" name="\(operation.name)"/>
                  <wsdl:output message="tns:\(operation.name)Response" name="\(operation.name)Response"/>
            \(operation.resultType == nil ? "" : fault)    </wsdl:operation>

            """
    }

    private static func binding(_ operation: BankCall.Operation) -> String {
        let fault = """
                  <wsdl:fault name="\(exception)">
                    <soap:fault name="\(exception)" use="literal"/>
                  </wsdl:fault>

            """
        return """
                <wsdl:operation name="\(operation.name)">
                  <soap:operation soapAction="" style="document"/>
                  <wsdl:input name="\(operation.name)">
                    <soap:body use="literal"/>
                  </wsdl:input>
                  <wsdl:output name="\(operation.name)Response">
                    <soap:body use="literal"/>
                  </wsdl:output>
            \(operation.resultType == nil ? "" : fault)    </wsdl:operation>

            """
    }
}

extension BankCall.Operation {
    /// The fields of a call, all of them strings.
    fileprivate var fields: [(name: String, isRepeated: Bool)] {
        switch self {
        case .reportNotificationExpired, .reportNotificationFailed: [("userId", true), ("notificationId", false)]
        case .pushIsOpened, .pushIsDelivered: [("userId", false), ("notificationId", false)]
        case .checkSubscriptionAuthorized, .authorizeSubscription:
            [("bankClientId", false), ("userId", false), ("deviceId", false), ("platform", false)]
        case .verifySubscriptionAuthorization:
            [("bankClientId", false), ("userId", false), ("deviceId", false), ("verificationCode", false)]
        }
    }

    /// The type of `return`; `nil` for a call whose answer says only that it was taken.
    fileprivate var resultType: String? {
        switch self {
        case .checkSubscriptionAuthorized: "authorizedResult"
        case .authorizeSubscription: "authorizationResult"
        case .verifySubscriptionAuthorization: "verificationResult"
        default: nil
        }
    }
}
