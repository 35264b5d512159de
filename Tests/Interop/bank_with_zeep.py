# SPDX-License-Identifier: Apache-2.0
"""A bank that built its client from the bus's WSDL with zeep.

    bank_with_zeep.py operations WSDL
    bank_with_zeep.py access WSDL (none|basic|text|digest|certificate) [NAME PASSWORD | CERTIFICATE AUTHORITY]

It ends with 0 where all went as the contract says, else with what did not. `access` prints what the bus said.
"""

import sys
import time

import requests
from requests.auth import HTTPBasicAuth
from zeep import Client, Transport
from zeep.exceptions import Fault, TransportError
from zeep.wsse.username import UsernameToken

TEXT = "Баланс: 5 < 7 & 9 > 8, «тест» — 😀 \u00a0é"


def expect(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: {found!r} in place of {wanted!r}")


def expect_fault(call, part, what):
    try:
        found = call()
    except Fault as fault:
        expect(fault.code.split(":")[-1], "Client", what)
        if part not in fault.message:
            sys.exit(f"{what}: the fault says {fault.message!r}, not {part!r}")
        return
    sys.exit(f"{what}: no fault but {found!r}")


def notification(identifier, recipients, **more):
    content = {"badge": 3, "sound": "default", "text": TEXT, "type": "UNIVERSAL"}
    content.update(more.pop("pushContent", {}))
    return {
        "id": identifier,
        "recipients": recipients,
        "timeout": 600,
        "pushContent": content,
        "details": {
            "entry": [
                {"key": "name", "value": "Заголовок"},
                {"key": "currency", "value": "RUR"},
                {"key": "fxAmount", "value": "12345"},
                {"key": "Период", "value": "3 года"},
            ]
        },
        **more,
    }


def statuses(result):
    return {entry.key: entry.value for entry in result.deliveryStatus.entry}


def wait_for_status(service, identifier, user, wanted):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        result = service.getDeliveryStatus(id=identifier)
        expect(result.status, "OK", "getDeliveryStatus")
        if statuses(result)[user] == wanted:
            return
        time.sleep(0.02)
    sys.exit(f"{identifier} did not become {wanted}: {statuses(result)}")


def check_sending(service):
    result = service.sendNotification(notification=notification("zeep-1", ["Анна", "никто"]))
    expect(result.status, "OK", "sendNotification")
    expect(statuses(result), {"Анна": "QUEUED", "никто": "INVALID_SUBSCRIPTION"}, "sendNotification")
    wait_for_status(service, "zeep-1", "Анна", "SENT")
    again = service.sendNotification(notification=notification("zeep-1", ["Анна"]))
    expect(again.status, "DUPLICATED_ENTITY", "the same id again")
    many = [f"никто-{number}" for number in range(1000)]
    result = service.sendNotification(notification=notification("zeep-2", many, priority=9, perishable=True))
    expect(set(statuses(result).values()), {"INVALID_SUBSCRIPTION"}, "a thousand recipients")
    expect(len(statuses(result)), 1000, "a thousand recipients")


def check_details(service):
    result = service.getNotificationDetails(id="zeep-1")
    expect(result.status, "OK", "getNotificationDetails")
    found = result.notification
    expect(found.id, "zeep-1", "details: id")
    expect(found.pushContent.text, TEXT, "details: text")
    expect(found.pushContent.badge, 3, "details: badge")
    expect(found.pushContent.type, "UNIVERSAL", "details: type")
    expect(set(found.recipients), {"Анна", "никто"}, "details: recipients")
    expect(found.timeout, 600, "details: timeout")
    expect(service.getNotificationDetails(id="nothing").status, "ENTITY_NOT_FOUND", "details of nothing")
    expect(service.getDeliveryStatus(id="nothing").status, "ENTITY_NOT_FOUND", "status of nothing")


def check_subscriptions(service):
    for users, wanted in ((["Анна"], True), (["никто"], False), (["Анна", "никто"], False)):
        result = service.checkSubscriptionExists(user=users)
        expect((result.status, result.exists), ("OK", wanted), f"checkSubscriptionExists {users}")
    expect(service.deleteSubscription(user="Анна").status, "OK", "deleteSubscription")
    expect(service.deleteSubscription(user="Анна").status, "ENTITY_NOT_FOUND", "deleteSubscription again")
    expect(service.checkSubscriptionExists(user=["Анна"]).exists, False, "after deleteSubscription")


def check_faults(service):
    def send(**more):
        return lambda: service.sendNotification(notification=notification("zeep-3", ["Анна"], **more))

    expect_fault(send(pushContent={"badge": -1}), "badge", "a negative badge")
    expect_fault(send(pushContent={"type": "PRODUCT"}), "target", "a PRODUCT without a target")
    expect_fault(send(priority=11), "priority", "a priority beyond 10")
    expect_fault(lambda: service.getDeliveryStatus(id=""), "id is empty", "no id")
    expect_fault(lambda: service.deleteSubscription(user=" "), "user", "a blank user")
    expect(service.getDeliveryStatus(id="zeep-3").status, "ENTITY_NOT_FOUND", "what was refused is not kept")


def operations(wsdl):
    client = Client(wsdl)
    expect(
        sorted(client.service._operations),
        sorted(
            [
                "sendNotification",
                "getNotificationDetails",
                "getDeliveryStatus",
                "deleteSubscription",
                "checkSubscriptionExists",
            ]
        ),
        "the WSDL's operations",
    )
    check_sending(client.service)
    check_details(client.service)
    check_faults(client.service)
    check_subscriptions(client.service)


def access(wsdl, kind, first=None, second=None):
    session = requests.Session()
    session.trust_env = False  # A certificate bundle named in the environment would take the place of ours.
    token = None
    if kind == "basic":
        session.auth = HTTPBasicAuth(first.encode(), second.encode())
    elif kind in ("text", "digest"):
        token = UsernameToken(first, second, use_digest=kind == "digest")
    elif kind == "certificate":
        session.cert, session.verify = first, second
    client = Client(wsdl, transport=Transport(session=session), wsse=token)
    try:
        print(client.service.checkSubscriptionExists(user=["Анна"]).status)
    except Fault as fault:
        print(f"fault {fault.code.split(':')[-1]}")
    except TransportError as error:
        print(f"HTTP {error.status_code}")


if __name__ == "__main__":
    {"operations": operations, "access": access}[sys.argv[1]](*sys.argv[2:])
