// SPDX-License-Identifier: Apache-2.0

// A bank in C with gSOAP: wsdl2h and soapcpp2 make its stubs from the bus's WSDL.
//
//     bank_with_gsoap ADDRESS

#include "SBIInboundWebServiceSoapBinding.nsmap"
#include "soapH.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text = "Остаток: 5 < 7 & «ещё» № 1";
static const char *address;

static void expect(const char *what, int isAsWanted) {
    if (isAsWanted) return;
    fprintf(stderr, "%s is not as it must be\n", what);
    exit(1);
}

static void called(const char *what, struct soap *soap, int result) {
    if (result == SOAP_OK) return;
    soap_print_fault(soap, stderr);
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

static int sendAs(struct soap *soap, char *id, int badge, struct ns1__sendNotificationResponse *response) {
    char *recipients[] = {"anna", "nobody"};
    struct ns1__pushContent content = {0};
    content.badge = badge;
    content.text = (char *)text;
    content.type = ns1__pushType__UNIVERSAL;
    struct ns1__notification notification = {0};
    notification.id = id;
    notification.pushContent = &content;
    notification.recipients = recipients;
    notification.__sizerecipients = 2;
    notification.timeout = 600;
    struct ns1__sendNotification request = {&notification};
    return soap_call___ns1__sendNotification(soap, address, "", &request, response);
}

static void checkSending(struct soap *soap, char *id) {
    struct ns1__sendNotificationResponse sent;
    called("sendNotification", soap, sendAs(soap, id, 3, &sent));
    expect("the status", sent.return_->status == ns1__status__OK);
    expect("the number of statuses", sent.return_->deliveryStatus->__sizeentry == 2);
    expect("anna's status", *sent.return_->deliveryStatus->entry[0].value == ns1__deliveryStatus__QUEUED);
    called("the same again", soap, sendAs(soap, id, 3, &sent));
    expect("the same again", sent.return_->status == ns1__status__DUPLICATED_USCOREENTITY);
    expect("a negative badge", sendAs(soap, "gsoap-bad", -1, &sent) != SOAP_OK);
    expect("the fault", strstr(*soap_faultstring(soap), "notification.pushContent.badge") != NULL);
}

static void checkQuestions(struct soap *soap, char *id) {
    struct ns1__getDeliveryStatus status = {id};
    struct ns1__getDeliveryStatusResponse statuses;
    called("getDeliveryStatus", soap, soap_call___ns1__getDeliveryStatus(soap, address, "", &status, &statuses));
    expect("the delivery's status", statuses.return_->deliveryStatus.__sizeentry == 2);
    status.id = "none";
    called("getDeliveryStatus", soap, soap_call___ns1__getDeliveryStatus(soap, address, "", &status, &statuses));
    expect("the status of nothing", statuses.return_->status == ns1__status__ENTITY_USCORENOT_USCOREFOUND);
    struct ns1__getNotificationDetails details = {id};
    struct ns1__getNotificationDetailsResponse found;
    called("getNotificationDetails", soap,
           soap_call___ns1__getNotificationDetails(soap, address, "", &details, &found));
    expect("the text", strcmp(found.return_->notification->pushContent->text, text) == 0);
}

static void checkSubscriptions(struct soap *soap) {
    char *users[] = {"anna", "nobody"};
    struct ns1__checkSubscriptionExists question = {1, users};
    struct ns1__checkSubscriptionExistsResponse exists;
    called("checkSubscriptionExists", soap,
           soap_call___ns1__checkSubscriptionExists(soap, address, "", &question, &exists));
    expect("anna's subscription", exists.return_->exists == xsd__boolean__true_);
    question.__sizeuser = 2;
    called("checkSubscriptionExists", soap,
           soap_call___ns1__checkSubscriptionExists(soap, address, "", &question, &exists));
    expect("both subscriptions", exists.return_->exists == xsd__boolean__false_);
    struct ns1__deleteSubscription deletion = {"nobody"};
    struct ns1__deleteSubscriptionResponse deleted;
    called("deleteSubscription", soap,
           soap_call___ns1__deleteSubscription(soap, address, "", &deletion, &deleted));
    expect("the deletion of nobody", deleted.return_->status == ns1__status__ENTITY_USCORENOT_USCOREFOUND);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    address = arguments[1];
    struct soap *soap = soap_new1(SOAP_C_UTFSTRING | SOAP_XML_STRICT);
    checkSending(soap, "gsoap-1");
    checkQuestions(soap, "gsoap-1");
    checkSubscriptions(soap);
    soap_destroy(soap);
    soap_end(soap);
    soap_free(soap);
    printf("gSOAP: all five operations, answers checked strictly\n");
    return 0;
}
