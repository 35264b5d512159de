// SPDX-License-Identifier: Apache-2.0

import bank.*;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.namespace.QName;
import javax.xml.ws.BindingProvider;
import javax.xml.ws.WebServiceFeature;
import javax.xml.ws.soap.AddressingFeature;
import javax.xml.ws.soap.MTOMFeature;
import javax.xml.ws.soap.SOAPFaultException;

/**
 * A Java bank with the JAX-WS reference implementation: its classes are made from the bus's WSDL by wsimport. It calls
 * plainly, then with MTOM, then with WS-Addressing required, which checks the headers of each answer.
 */
public class BankWithJAXWS {
    static final String TEXT = "Остаток: 5 < 7 & «ещё» № 1\n";

    public static void main(String[] arguments) throws Exception {
        URL wsdl = new URL(arguments[0]);
        calls(wsdl, "plain");
        calls(wsdl, "mtom", new MTOMFeature(true, 0));
        calls(wsdl, "addressed", new AddressingFeature(true, true));
        calls(wsdl, "anonymous", new AddressingFeature(true, true, AddressingFeature.Responses.ANONYMOUS));
    }

    static void calls(URL wsdl, String name, WebServiceFeature... features) {
        String id = "jaxws-" + name;
        SBIInboundWebService bus = new SBIInboundWebService_Service(wsdl).getSBIInboundWebServicePort(features);
        SendNotificationResult sent = bus.sendNotification(notification(id, 3));
        expect(name + " status", Status.OK, sent.getStatus());
        Map<String, String> statuses = new TreeMap<>();
        for (SendNotificationResult.DeliveryStatus.Entry entry : sent.getDeliveryStatus().getEntry())
            statuses.put(entry.getKey(), entry.getValue().value());
        expect(name + " statuses", "{anna=QUEUED, nobody=INVALID_SUBSCRIPTION}", statuses.toString());
        expect(name + " again", Status.DUPLICATED_ENTITY, bus.sendNotification(notification(id, 3)).getStatus());
        DeliveryStatusResult found = bus.getDeliveryStatus(id);
        expect(name + " delivery", Status.OK, found.getStatus());
        expect(name + " delivery", 2, found.getDeliveryStatus().getEntry().size());
        expect(name + " no such", Status.ENTITY_NOT_FOUND, bus.getDeliveryStatus("none").getStatus());
        expect(name + " text", TEXT, bus.getNotificationDetails(id).getNotification().getPushContent().getText());
        expect(name + " anna", true, bus.checkSubscriptionExists(users("anna")).isExists());
        expect(name + " nobody", false, bus.checkSubscriptionExists(users("anna", "nobody")).isExists());
        expect(name + " delete", Status.ENTITY_NOT_FOUND, bus.deleteSubscription("nobody").getStatus());
        try {
            bus.sendNotification(notification(id + "-bad", -1));
            throw new AssertionError(name + ": no fault");
        } catch (SOAPFaultException fault) {
            expect(name + " fault", true, fault.getMessage().contains("notification.pushContent.badge"));
        }
        System.out.println("JAX-WS RI, " + name + ": all five operations");
    }

    static Notification notification(String id, int badge) {
        PushContent content = new PushContent();
        content.setBadge(badge);
        content.setText(TEXT);
        content.setType(PushType.UNIVERSAL);
        Notification notification = new Notification();
        notification.setId(id);
        notification.setPushContent(content);
        notification.getRecipients().addAll(users("anna", "nobody"));
        notification.setTimeout(600);
        return notification;
    }

    static List<String> users(String... names) { return new ArrayList<>(List.of(names)); }

    static void expect(String what, Object wanted, Object found) {
        if (!wanted.equals(found)) throw new AssertionError(what + ": " + found + " in place of " + wanted);
    }
}
