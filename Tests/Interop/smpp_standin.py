#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An SMSC that speaks as much SMPP 3.4 as a Kannel needs, and fails on demand.

It listens on a free port of the loopback and prints `port N`, then one JSON object for each submit_sm:
to, ton, from, coding, esm, text (hexadecimal), status. What happens is said by the receiver's last digit:
1 undeliverable receipt, 2 refused as an invalid address, 3 throttled at the first try; else delivered.
"""
import json
import socketserver
import struct
import time

BIND = (1, 2, 9)
SUBMIT, DELIVER, UNBIND, ENQUIRE = 4, 5, 6, 0x15
RESPONSE = 0x80000000
OK, INVALID_ADDRESS, THROTTLED = 0, 0x0B, 0x58


class Reader:
    """Takes fields from the front of a PDU's body (SMPP 3.4, 3.1)."""

    def __init__(self, body):
        self.body = body

    def text(self):
        value, self.body = self.body.split(b"\0", 1)
        return value.decode("latin-1")

    def byte(self):
        value, self.body = self.body[0], self.body[1:]
        return value

    def take(self, count):
        value, self.body = self.body[:count], self.body[count:]
        return value


class Session(socketserver.BaseRequestHandler):
    last_id = 0
    throttled = set()

    def handle(self):
        self.receipts = 0
        while head := self.read(16):
            length, command, _, sequence = struct.unpack(">IIII", head)
            body = self.read(length - 16)
            if command in BIND:
                self.write(command | RESPONSE, OK, sequence, b"standin\0")
            elif command == SUBMIT:
                self.submit(body, sequence)
            elif command in (UNBIND, ENQUIRE):
                self.write(command | RESPONSE, OK, sequence)

    def read(self, count):
        data = b""
        while len(data) < count:
            piece = self.request.recv(count - len(data))
            if not piece:
                return b""
            data += piece
        return data

    def write(self, command, status, sequence, body=b""):
        self.request.sendall(struct.pack(">IIII", 16 + len(body), command, status, sequence) + body)

    def submit(self, body, sequence):
        fields = Reader(body)
        fields.text()
        source = (fields.byte(), fields.byte(), fields.text())
        ton, _, receiver = fields.byte(), fields.byte(), fields.text()
        esm = fields.byte()
        fields.take(2)
        fields.text(), fields.text()
        wants_receipt = fields.byte() & 3
        fields.byte()
        coding = fields.byte()
        fields.byte()
        text = fields.take(fields.byte())
        status = self.verdict(receiver)
        entry = {"to": receiver, "ton": ton, "from": source[2], "coding": coding, "esm": esm, "text": text.hex()}
        print(json.dumps(entry | {"status": status}), flush=True)
        Session.last_id += 1
        number = f"{0xABC000 + Session.last_id:X}"
        self.write(SUBMIT | RESPONSE, status, sequence, number.encode() + b"\0" if status == OK else b"")
        if status == OK and wants_receipt:
            self.receipt(number, receiver, source[2], "UNDELIV" if receiver.endswith("1") else "DELIVRD")

    def verdict(self, receiver):
        if receiver.endswith("2"):
            return INVALID_ADDRESS
        if receiver.endswith("3") and receiver not in Session.throttled:
            Session.throttled.add(receiver)
            return THROTTLED
        return OK

    def receipt(self, number, receiver, sender, state):
        """Sends a receipt (SMPP 3.4, appendix B), which quotes the message as real ones do."""
        now = time.strftime("%y%m%d%H%M")
        error = "000" if state == "DELIVRD" else "011"
        text = (
            f"id:{number} sub:001 dlvrd:000 submit date:{now} done date:{now} "
            f"stat:{state} err:{error} text:secret {receiver}"
        ).encode()
        body = b"\0\1\1" + receiver.encode() + b"\0\1\1" + sender.encode() + b"\0"
        body += b"\x04\0\0\0\0\0\0\0\0" + bytes([len(text)]) + text
        self.receipts += 1
        self.write(DELIVER, OK, self.receipts, body)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


with Server(("127.0.0.1", 0), Session) as server:
    print("port", server.server_address[1], flush=True)
    server.serve_forever()
