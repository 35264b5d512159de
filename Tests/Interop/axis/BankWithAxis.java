// SPDX-License-Identifier: Apache-2.0

import axisbank.*;
import java.net.URL;
import javax.xml.namespace.QName;
import javax.xml.rpc.ParameterMode;
import org.apache.axis.AxisFault;
import org.apache.axis.client.Call;
import org.apache.axis.client.Service;
import org.apache.axis.constants.Style;
import org.apache.axis.constants.Use;
import org.apache.axis.encoding.ser.BeanDeserializerFactory;
import org.apache.axis.encoding.ser.BeanSerializerFactory;
import org.apache.axis.encoding.ser.EnumDeserializerFactory;
import org.apache.axis.encoding.ser.EnumSerializerFactory;

/**
 * A Java bank with Apache Axis 1.4 of 2006: with classes that WSDL2Java makes from the bus's WSDL, and without a WSDL,
 * in SOAP's own encoding, whose beans and arrays Axis writes as multiRef elements that refer to each other.
 */
public class BankWithAxis {
    static final String NAMESPACE = "http://inbound.sbi.pigeon.idamobile.com/";
    static final String TEXT = "Остаток: 5 < 7 & «ещё» № 1";

    public static void main(String[] arguments) throws Exception {
        URL address = new URL(arguments[0]);
        literal(address);
        encoded(address);
    }

    static void literal(URL address) throws Exception {
        SBIInboundWebService_PortType bus = new SBIInboundWebService_ServiceLocator().getSBIInboundWebServicePort(address);
        checkSent("literal", bus.sendNotification(notification("axis-literal", 3)));
        expect("again", "DUPLICATED_ENTITY", bus.sendNotification(notification("axis-literal", 3)).getStatus().getValue());
        expect("delivery", 2, bus.getDeliveryStatus("axis-literal").getDeliveryStatus().length);
        expect("no such", "ENTITY_NOT_FOUND", bus.getDeliveryStatus("none").getStatus().getValue());
        expect("text", TEXT, bus.getNotificationDetails("axis-literal").getNotification().getPushContent().getText());
        expect("anna", true, bus.checkSubscriptionExists(new String[] {"anna"}).isExists());
        expect("nobody", false, bus.checkSubscriptionExists(new String[] {"anna", "nobody"}).isExists());
        expect("delete", "ENTITY_NOT_FOUND", bus.deleteSubscription("nobody").getStatus().getValue());
        try {
            bus.sendNotification(notification("axis-bad", -1));
            throw new AssertionError("no fault");
        } catch (AxisFault fault) {
            expect("fault", true, fault.getFaultString().contains("notification.pushContent.badge"));
        }
        System.out.println("Axis 1.4, document/literal: all five operations");
    }

    static void encoded(URL address) throws Exception {
        Object sent = call(address, "sendNotification", SendNotificationResult.class, "notification",
                "notification", notification("axis-encoded", 3));
        checkSent("encoded", (SendNotificationResult) sent);
        Object status = call(address, "getDeliveryStatus", DeliveryStatusResult.class, "id", null, "axis-encoded");
        expect("encoded delivery", 2, ((DeliveryStatusResult) status).getDeliveryStatus().length);
        Object details = call(address, "getNotificationDetails", NotificationDetailsResult.class, "id", null, "axis-encoded");
        expect("encoded text", TEXT, ((NotificationDetailsResult) details).getNotification().getPushContent().getText());
        Object exists = call(address, "checkSubscriptionExists", SubscriptionExistsResult.class, "user", null, "anna");
        expect("encoded exists", true, ((SubscriptionExistsResult) exists).isExists());
        Object deleted = call(address, "deleteSubscription", Result.class, "user", null, "nobody");
        expect("encoded delete", "ENTITY_NOT_FOUND", ((Result) deleted).getStatus().getValue());
        System.out.println("Axis 1.4, rpc/encoded: all five operations");
    }

    /** A call as it was made before there was a WSDL; `type` is the parameter's where it is a bean. */
    static Object call(URL address, String name, Class<?> result, String parameter, String type, Object value)
            throws Exception {
        Call call = (Call) new Service().createCall();
        call.setTargetEndpointAddress(address);
        call.setOperationName(new QName(NAMESPACE, name));
        call.setOperationStyle(Style.RPC);
        call.setOperationUse(Use.ENCODED);
        for (Class<?> bean : new Class<?>[] {Notification.class, PushContent.class, NotificationDetailsEntry.class, result,
                DeliveryStatusResultDeliveryStatusEntry.class, SendNotificationResultDeliveryStatusEntry.class})
            call.registerTypeMapping(bean, named(bean), new BeanSerializerFactory(bean, named(bean)),
                    new BeanDeserializerFactory(bean, named(bean)));
        for (Class<?> words : new Class<?>[] {PushType.class, Status.class, DeliveryStatus.class})
            call.registerTypeMapping(words, named(words), new EnumSerializerFactory(words, named(words)),
                    new EnumDeserializerFactory(words, named(words)));
        QName xsd = new QName("http://www.w3.org/2001/XMLSchema", "string");
        call.addParameter(parameter, type == null ? xsd : new QName(NAMESPACE, type), ParameterMode.IN);
        call.setReturnType(named(result), result);
        return call.invoke(new Object[] {value});
    }

    static QName named(Class<?> type) throws Exception {
        return ((org.apache.axis.description.TypeDesc) descriptionOf(type)).getXmlType();
    }

    static Object descriptionOf(Class<?> type) throws Exception { return type.getMethod("getTypeDesc").invoke(null); }

    static void checkSent(String name, SendNotificationResult sent) {
        expect(name + " status", "OK", sent.getStatus().getValue());
        StringBuilder statuses = new StringBuilder();
        for (SendNotificationResultDeliveryStatusEntry entry : sent.getDeliveryStatus())
            statuses.append(entry.getKey()).append('=').append(entry.getValue().getValue()).append(' ');
        expect(name + " statuses", "anna=QUEUED nobody=INVALID_SUBSCRIPTION ", statuses.toString());
    }

    static Notification notification(String id, int badge) {
        PushContent content = new PushContent();
        content.setBadge(badge);
        content.setText(TEXT);
        content.setType(PushType.UNIVERSAL);
        NotificationDetailsEntry title = new NotificationDetailsEntry();
        title.setKey("name");
        title.setValue("Заголовок");
        Notification notification = new Notification();
        notification.setId(id);
        notification.setDetails(new NotificationDetailsEntry[] {title});
        notification.setPushContent(content);
        notification.setRecipients(new String[] {"anna", "nobody"});
        notification.setTimeout(600);
        return notification;
    }

    static void expect(String what, Object wanted, Object found) {
        if (!wanted.equals(found)) throw new AssertionError(what + ": " + found + " in place of " + wanted);
    }
}
