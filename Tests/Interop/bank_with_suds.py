# SPDX-License-Identifier: Apache-2.0
"""A bank whose old Python program builds its client from the bus's WSDL with suds.

    bank_with_suds.py WSDL
"""

import logging
import sys

from suds import WebFault
from suds.client import Client

TEXT = "Остаток: 5 < 7 & «ещё» № 1"

logging.disable(logging.CRITICAL)


def expect(what, wanted, found):
    if wanted != found:
        sys.exit(f"{what}: {found!r} in place of {wanted!r}")


def notification(client, identifier, badge=3):
    found = client.factory.create("ns0:notification")
    found.id = identifier
    found.recipients = ["anna", "nobody"]
    found.timeout = 600
    # suds creates all that the WSDL has, and sends what is not None.
    found.pushContent.badge = badge
    found.pushContent.text = TEXT
    found.pushContent.type = "UNIVERSAL"
    return found


def main(wsdl):
    client = Client(wsdl, cache=None)
    bus = client.service
    sent = bus.sendNotification(notification(client, "suds-1"))
    expect("status", "OK", sent.status)
    statuses = {entry.key: entry.value for entry in sent.deliveryStatus.entry}
    expect("statuses", {"anna": "QUEUED", "nobody": "INVALID_SUBSCRIPTION"}, statuses)
    expect("again", "DUPLICATED_ENTITY", bus.sendNotification(notification(client, "suds-1")).status)
    expect("delivery", 2, len(bus.getDeliveryStatus("suds-1").deliveryStatus.entry))
    expect("no such", "ENTITY_NOT_FOUND", bus.getDeliveryStatus("none").status)
    expect("text", TEXT, str(bus.getNotificationDetails("suds-1").notification.pushContent.text))
    expect("anna", True, bus.checkSubscriptionExists(["anna"]).exists)
    expect("nobody", False, bus.checkSubscriptionExists(["anna", "nobody"]).exists)
    expect("delete", "ENTITY_NOT_FOUND", bus.deleteSubscription("nobody").status)
    try:
        sys.exit(f"no fault but {bus.sendNotification(notification(client, 'suds-2', badge=-1))}")
    except WebFault as fault:
        expect("fault", True, "notification.pushContent.badge" in fault.fault.faultstring)
    print("suds: all five operations")


if __name__ == "__main__":
    main(sys.argv[1])
