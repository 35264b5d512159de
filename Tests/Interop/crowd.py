#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Connections without end, and a bank among them.

    crowd.py crowd PORT SECONDS   8,000 connections from eight addresses, opened, held, dripped, dropped and opened anew
    crowd.py bank PORT SECONDS    a bank that sends 50 notifications a second over five connections of its own

Both print one JSON object. They are programs of their own because the tests' process is not made for so many
descriptors.
"""

import http.client
import json
import resource
import socket
import sys
import threading
import time

ADDRESSES = [f"127.0.0.{number}" for number in range(1, 9)]
EACH = 1_000
BANK = "127.0.0.9"
PATH = "/pigeon/services/SBIInboundWebService"


class Client:
    """One connection: silent, dripping a head, dripping a body, or idle after a request."""

    def __init__(self, port, number):
        self.kind = number % 4
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.bind((ADDRESSES[number % len(ADDRESSES)], 0))
        self.socket.connect_ex(("127.0.0.1", port))
        self.begun = False

    def say(self):
        """Sends the next of what it has to say; False where the far end has closed."""
        words = [b"", b"X", b"a", b""][self.kind]
        if not self.begun:
            self.begun = True
            words = [
                b"",
                b"GET / HTTP/1.1\r\nX: ",
                b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n",
                b"GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n",
            ][self.kind]
        try:
            if words:
                self.socket.send(words)
            return self.socket.recv(4096) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False


def crowd(port, seconds):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    count = EACH * len(ADDRESSES)
    opened = closed = most = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        clients = []
        for number in range(count):
            clients.append(Client(port, number))
            opened += 1
        most = max(most, len(clients))
        # Two rounds of dripping; who was closed comes again. Then all hang up at once.
        for _ in range(2):
            for number, client in enumerate(clients):
                if not client.say():
                    closed += 1
                    client.socket.close()
                    clients[number] = Client(port, number)
                    opened += 1
            time.sleep(0.3)
            if time.monotonic() > end:
                break
        for client in clients:
            client.socket.close()
    print(json.dumps({"opened": opened, "closed": closed, "most": most}), flush=True)


def bank(port, seconds):
    answers = {}
    slowest = 0.0
    lock = threading.Lock()
    head = {"Content-Type": "text/xml; charset=utf-8"}

    def work(line):
        nonlocal slowest
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=(BANK, 0))
        begin = time.monotonic() + line * 0.02
        for number in range(seconds * 10):
            pause = begin + number * 0.1 - time.monotonic()
            if pause > 0:
                time.sleep(pause)
            body = (
                '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><sendNotification><notification>'
                f"<id>n{line}-{number}</id><recipients>anna</recipients><timeout>600</timeout><pushContent><badge>0</badge>"
                "<text>hello</text><type>UNIVERSAL</type></pushContent></notification></sendNotification></s:Body></s:Envelope>"
            )
            sent = time.monotonic()
            try:
                connection.request("POST", PATH, body, head)
                answer = connection.getresponse()
                text = answer.read().decode()
                result = "OK" if answer.status == 200 and "<status>OK</status>" in text else str(answer.status)
            except OSError as error:
                result = type(error).__name__
                connection.close()
            except http.client.HTTPException as error:
                result = type(error).__name__
                connection.close()
            with lock:
                answers[result] = answers.get(result, 0) + 1
                slowest = max(slowest, time.monotonic() - sent)

    threads = [threading.Thread(target=work, args=(line,)) for line in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps({"answers": answers, "slowest": round(slowest * 1000)}), flush=True)


if __name__ == "__main__":
    {"crowd": crowd, "bank": bank}[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]))
