// SPDX-License-Identifier: Apache-2.0

/// The WSDL up to the address.
///
/// As the field's Java servers (Apache CXF) write it, so that clients built from theirs find the names, order and
/// namespaces they know. What they do not know comes last and is optional.
let inboundWSDLHead: StaticString = #"""
    <?xml version="1.0" encoding="UTF-8"?>
    <wsdl:definitions xmlns:xsd="http://www.w3.org/2001/XMLSchema"\#
     xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:tns="http://inbound.sbi.pigeon.idamobile.com/"\#
     xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:ns1="http://schemas.xmlsoap.org/soap/http"\#
     xmlns:wsam="http://www.w3.org/2007/05/addressing/metadata"\#
     xmlns:wsaw="http://www.w3.org/2006/05/addressing/wsdl"\#
     name="SBIInboundWebService" targetNamespace="http://inbound.sbi.pigeon.idamobile.com/">
      <wsdl:types>
        <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="unqualified"\#
     targetNamespace="http://inbound.sbi.pigeon.idamobile.com/" version="1.0">
          <xs:element name="sendNotification" type="tns:sendNotification"/>
          <xs:element name="sendNotificationResponse" type="tns:sendNotificationResponse"/>
          <xs:element name="getNotificationDetails" type="tns:getNotificationDetails"/>
          <xs:element name="getNotificationDetailsResponse" type="tns:getNotificationDetailsResponse"/>
          <xs:element name="getDeliveryStatus" type="tns:getDeliveryStatus"/>
          <xs:element name="getDeliveryStatusResponse" type="tns:getDeliveryStatusResponse"/>
          <xs:element name="deleteSubscription" type="tns:deleteSubscription"/>
          <xs:element name="deleteSubscriptionResponse" type="tns:deleteSubscriptionResponse"/>
          <xs:element name="checkSubscriptionExists" type="tns:checkSubscriptionExists"/>
          <xs:element name="checkSubscriptionExistsResponse" type="tns:checkSubscriptionExistsResponse"/>
          <xs:complexType name="sendNotification">
            <xs:sequence>
              <xs:element name="notification" type="tns:notification"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="getNotificationDetails">
            <xs:sequence>
              <xs:element name="id" type="xs:string"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="getDeliveryStatus">
            <xs:sequence>
              <xs:element name="id" type="xs:string"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="deleteSubscription">
            <xs:sequence>
              <xs:element name="user" type="xs:string"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="checkSubscriptionExists">
            <xs:sequence>
              <xs:element maxOccurs="unbounded" name="user" type="xs:string"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="notification">
            <xs:sequence>
              <xs:element minOccurs="0" name="details">
                <xs:complexType>
                  <xs:sequence>
                    <xs:element maxOccurs="unbounded" minOccurs="0" name="entry">
                      <xs:complexType>
                        <xs:sequence>
                          <xs:element minOccurs="0" name="key" type="xs:string"/>
                          <xs:element minOccurs="0" name="value" type="xs:string"/>
                        </xs:sequence>
                      </xs:complexType>
                    </xs:element>
                  </xs:sequence>
                </xs:complexType>
              </xs:element>
              <xs:element name="id" type="xs:string"/>
              <xs:element minOccurs="0" name="perishable" type="xs:boolean"/>
              <xs:element minOccurs="0" name="priority" type="xs:int"/>
              <xs:element name="pushContent" type="tns:pushContent"/>
              <xs:element maxOccurs="unbounded" name="recipients" type="xs:string"/>
              <xs:element name="timeout" type="xs:int"/>
              <xs:element minOccurs="0" name="collapseId" type="xs:string"/>
              <xs:element minOccurs="0" name="pushDetails" type="tns:pushDetails"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="pushContent">
            <xs:sequence>
              <xs:element name="badge" type="xs:int"/>
              <xs:element minOccurs="0" name="details">
                <xs:complexType>
                  <xs:sequence>
                    <xs:element maxOccurs="unbounded" minOccurs="0" name="entry">
                      <xs:complexType>
                        <xs:sequence>
                          <xs:element minOccurs="0" name="key" type="xs:string"/>
                          <xs:element minOccurs="0" name="value" type="xs:string"/>
                        </xs:sequence>
                      </xs:complexType>
                    </xs:element>
                  </xs:sequence>
                </xs:complexType>
              </xs:element>
              <xs:element minOccurs="0" name="sound" type="xs:string"/>
              <xs:element name="text" type="xs:string"/>
              <xs:element name="type" type="tns:pushType"/>
              <xs:element minOccurs="0" name="target" type="xs:string"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="pushDetails">
            <xs:sequence>
              <xs:element minOccurs="0" name="amount" type="tns:amountDTO"/>
              <xs:element minOccurs="0" name="logoUrl" type="xs:string"/>
              <xs:element name="name" type="xs:string"/>
              <xs:element minOccurs="0" name="pushDescription" type="xs:string"/>
              <xs:element maxOccurs="unbounded" minOccurs="0" name="tags" type="tns:markerDTO"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="amountDTO">
            <xs:sequence>
              <xs:element name="currency" type="xs:string"/>
              <xs:element name="fxAmount" type="xs:long"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="markerDTO">
            <xs:sequence>
              <xs:element name="key" type="xs:string"/>
              <xs:element minOccurs="0" name="value" type="xs:string"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="sendNotificationResponse">
            <xs:sequence>
              <xs:element minOccurs="0" name="return" type="tns:sendNotificationResult"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="sendNotificationResult">
            <xs:sequence>
              <xs:element name="status" type="tns:status"/>
              <xs:element minOccurs="0" name="errorMessage" type="xs:string"/>
              <xs:element minOccurs="0" name="deliveryStatus">
                <xs:complexType>
                  <xs:sequence>
                    <xs:element maxOccurs="unbounded" minOccurs="0" name="entry">
                      <xs:complexType>
                        <xs:sequence>
                          <xs:element minOccurs="0" name="key" type="xs:string"/>
                          <xs:element minOccurs="0" name="value" type="tns:deliveryStatus"/>
                        </xs:sequence>
                      </xs:complexType>
                    </xs:element>
                  </xs:sequence>
                </xs:complexType>
              </xs:element>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="getNotificationDetailsResponse">
            <xs:sequence>
              <xs:element minOccurs="0" name="return" type="tns:notificationDetailsResult"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="notificationDetailsResult">
            <xs:sequence>
              <xs:element name="status" type="tns:status"/>
              <xs:element minOccurs="0" name="errorMessage" type="xs:string"/>
              <xs:element minOccurs="0" name="notification" type="tns:notification"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="getDeliveryStatusResponse">
            <xs:sequence>
              <xs:element minOccurs="0" name="return" type="tns:deliveryStatusResult"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="deliveryStatusResult">
            <xs:sequence>
              <xs:element name="status" type="tns:status"/>
              <xs:element minOccurs="0" name="errorMessage" type="xs:string"/>
              <xs:element name="deliveryStatus">
                <xs:complexType>
                  <xs:sequence>
                    <xs:element maxOccurs="unbounded" minOccurs="0" name="entry">
                      <xs:complexType>
                        <xs:sequence>
                          <xs:element minOccurs="0" name="key" type="xs:string"/>
                          <xs:element minOccurs="0" name="value" type="tns:deliveryStatus"/>
                        </xs:sequence>
                      </xs:complexType>
                    </xs:element>
                  </xs:sequence>
                </xs:complexType>
              </xs:element>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="deleteSubscriptionResponse">
            <xs:sequence>
              <xs:element minOccurs="0" name="return" type="tns:result"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="result">
            <xs:sequence>
              <xs:element name="status" type="tns:status"/>
              <xs:element minOccurs="0" name="errorMessage" type="xs:string"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="checkSubscriptionExistsResponse">
            <xs:sequence>
              <xs:element minOccurs="0" name="return" type="tns:subscriptionExistsResult"/>
            </xs:sequence>
          </xs:complexType>
          <xs:complexType name="subscriptionExistsResult">
            <xs:sequence>
              <xs:element name="status" type="tns:status"/>
              <xs:element minOccurs="0" name="errorMessage" type="xs:string"/>
              <xs:element name="exists" type="xs:boolean"/>
            </xs:sequence>
          </xs:complexType>
          <xs:simpleType name="status">
            <xs:restriction base="xs:string">
              <xs:enumeration value="OK"/>
              <xs:enumeration value="ENTITY_NOT_FOUND"/>
              <xs:enumeration value="DUPLICATED_ENTITY"/>
              <xs:enumeration value="INTERNAL_SERVER_ERROR"/>
            </xs:restriction>
          </xs:simpleType>
          <xs:simpleType name="deliveryStatus">
            <xs:restriction base="xs:string">
              <xs:enumeration value="QUEUED"/>
              <xs:enumeration value="SENT"/>
              <xs:enumeration value="SENDING_FAILED"/>
              <xs:enumeration value="DELIVERED"/>
              <xs:enumeration value="READ"/>
              <xs:enumeration value="INVALID_SUBSCRIPTION"/>
              <xs:enumeration value="EXPIRED"/>
            </xs:restriction>
          </xs:simpleType>
          <xs:simpleType name="pushType">
            <xs:restriction base="xs:string">
              <xs:enumeration value="UNIVERSAL"/>
              <xs:enumeration value="PRODUCT"/>
              <xs:enumeration value="FORM"/>
              <xs:enumeration value="SHOW_MAP"/>
              <xs:enumeration value="URL"/>
              <xs:enumeration value="PIN_CODE"/>
              <xs:enumeration value="MESSAGE"/>
            </xs:restriction>
          </xs:simpleType>
        </xs:schema>
      </wsdl:types>
      <wsdl:message name="sendNotification">
        <wsdl:part element="tns:sendNotification" name="parameters"/>
      </wsdl:message>
      <wsdl:message name="sendNotificationResponse">
        <wsdl:part element="tns:sendNotificationResponse" name="parameters"/>
      </wsdl:message>
      <wsdl:message name="getNotificationDetails">
        <wsdl:part element="tns:getNotificationDetails" name="parameters"/>
      </wsdl:message>
      <wsdl:message name="getNotificationDetailsResponse">
        <wsdl:part element="tns:getNotificationDetailsResponse" name="parameters"/>
      </wsdl:message>
      <wsdl:message name="getDeliveryStatus">
        <wsdl:part element="tns:getDeliveryStatus" name="parameters"/>
      </wsdl:message>
      <wsdl:message name="getDeliveryStatusResponse">
        <wsdl:part element="tns:getDeliveryStatusResponse" name="parameters"/>
      </wsdl:message>
      <wsdl:message name="deleteSubscription">
        <wsdl:part element="tns:deleteSubscription" name="parameters"/>
      </wsdl:message>
      <wsdl:message name="deleteSubscriptionResponse">
        <wsdl:part element="tns:deleteSubscriptionResponse" name="parameters"/>
      </wsdl:message>
      <wsdl:message name="checkSubscriptionExists">
        <wsdl:part element="tns:checkSubscriptionExists" name="parameters"/>
      </wsdl:message>
      <wsdl:message name="checkSubscriptionExistsResponse">
        <wsdl:part element="tns:checkSubscriptionExistsResponse" name="parameters"/>
      </wsdl:message>
      <wsdl:portType name="SBIInboundWebService">
        <wsdl:operation name="sendNotification">
          <wsdl:input message="tns:sendNotification" name="sendNotification"\#
     wsam:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/sendNotification"\#
     wsaw:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/sendNotification"/>
          <wsdl:output message="tns:sendNotificationResponse" name="sendNotificationResponse"\#
     wsam:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/sendNotificationResponse"\#
     wsaw:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/sendNotificationResponse"/>
        </wsdl:operation>
        <wsdl:operation name="getNotificationDetails">
          <wsdl:input message="tns:getNotificationDetails" name="getNotificationDetails"\#
     wsam:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/getNotificationDetails"\#
     wsaw:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/getNotificationDetails"/>
          <wsdl:output message="tns:getNotificationDetailsResponse" name="getNotificationDetailsResponse"\#
     wsam:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/getNotificationDetailsResponse"\#
     wsaw:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/getNotificationDetailsResponse"/>
        </wsdl:operation>
        <wsdl:operation name="getDeliveryStatus">
          <wsdl:input message="tns:getDeliveryStatus" name="getDeliveryStatus"\#
     wsam:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/getDeliveryStatus"\#
     wsaw:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/getDeliveryStatus"/>
          <wsdl:output message="tns:getDeliveryStatusResponse" name="getDeliveryStatusResponse"\#
     wsam:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/getDeliveryStatusResponse"\#
     wsaw:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/getDeliveryStatusResponse"/>
        </wsdl:operation>
        <wsdl:operation name="deleteSubscription">
          <wsdl:input message="tns:deleteSubscription" name="deleteSubscription"\#
     wsam:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/deleteSubscription"\#
     wsaw:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/deleteSubscription"/>
          <wsdl:output message="tns:deleteSubscriptionResponse" name="deleteSubscriptionResponse"\#
     wsam:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/deleteSubscriptionResponse"\#
     wsaw:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/deleteSubscriptionResponse"/>
        </wsdl:operation>
        <wsdl:operation name="checkSubscriptionExists">
          <wsdl:input message="tns:checkSubscriptionExists" name="checkSubscriptionExists"\#
     wsam:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/checkSubscriptionExists"\#
     wsaw:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/checkSubscriptionExists"/>
          <wsdl:output message="tns:checkSubscriptionExistsResponse" name="checkSubscriptionExistsResponse"\#
     wsam:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/checkSubscriptionExistsResponse"\#
     wsaw:Action="http://inbound.sbi.pigeon.idamobile.com/SBIInboundWebService/checkSubscriptionExistsResponse"/>
        </wsdl:operation>
      </wsdl:portType>
      <wsdl:binding name="SBIInboundWebServiceSoapBinding" type="tns:SBIInboundWebService">
        <soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
        <wsaw:UsingAddressing wsdl:required="false"/>
        <wsdl:operation name="sendNotification">
          <soap:operation soapAction="" style="document"/>
          <wsdl:input name="sendNotification">
            <soap:body use="literal"/>
          </wsdl:input>
          <wsdl:output name="sendNotificationResponse">
            <soap:body use="literal"/>
          </wsdl:output>
        </wsdl:operation>
        <wsdl:operation name="getNotificationDetails">
          <soap:operation soapAction="" style="document"/>
          <wsdl:input name="getNotificationDetails">
            <soap:body use="literal"/>
          </wsdl:input>
          <wsdl:output name="getNotificationDetailsResponse">
            <soap:body use="literal"/>
          </wsdl:output>
        </wsdl:operation>
        <wsdl:operation name="getDeliveryStatus">
          <soap:operation soapAction="" style="document"/>
          <wsdl:input name="getDeliveryStatus">
            <soap:body use="literal"/>
          </wsdl:input>
          <wsdl:output name="getDeliveryStatusResponse">
            <soap:body use="literal"/>
          </wsdl:output>
        </wsdl:operation>
        <wsdl:operation name="deleteSubscription">
          <soap:operation soapAction="" style="document"/>
          <wsdl:input name="deleteSubscription">
            <soap:body use="literal"/>
          </wsdl:input>
          <wsdl:output name="deleteSubscriptionResponse">
            <soap:body use="literal"/>
          </wsdl:output>
        </wsdl:operation>
        <wsdl:operation name="checkSubscriptionExists">
          <soap:operation soapAction="" style="document"/>
          <wsdl:input name="checkSubscriptionExists">
            <soap:body use="literal"/>
          </wsdl:input>
          <wsdl:output name="checkSubscriptionExistsResponse">
            <soap:body use="literal"/>
          </wsdl:output>
        </wsdl:operation>
      </wsdl:binding>
      <wsdl:service name="SBIInboundWebService">
        <wsdl:port binding="tns:SBIInboundWebServiceSoapBinding" name="SBIInboundWebServicePort">
          <soap:address location="
    """#

/// The WSDL behind the address.
let inboundWSDLTail: StaticString = #"""
    "/>
        </wsdl:port>
      </wsdl:service>
    </wsdl:definitions>

    """#
