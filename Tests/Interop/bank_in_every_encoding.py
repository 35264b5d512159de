# SPDX-License-Identifier: Apache-2.0
"""A bank that sends the same request in every encoding that Python writes, named by the header or by the declaration.

    bank_in_every_encoding.py WSDL
"""

import codecs
import encodings.aliases
import html
import sys
import urllib.error
import urllib.request

NAMESPACE = "http://inbound.sbi.pigeon.idamobile.com/"
TEXTS = ["Остаток ещё 1", "Grüße für 1", "Łódź 1", "Υπόλοιπο 1", "יתרה 1", "الرصيد 1", "残高1", "余额1", "잔액1", "ยอด 1", "1"]
# Python's own, not charsets: or such as iconv does not know, or UTF-7, which the bus refuses.
OTHERS = {"idna", "punycode", "raw_unicode_escape", "unicode_escape", "utf_7", "undefined", "mbcs", "oem", "hz", "palmos"}


def names():
    """Each codec of Python with the first of its names that iconv knows, by the bus's answer."""
    found = set(encodings.aliases.aliases.values()) | {"koi8_u", "koi8_t", "cp720", "cp856", "cp874", "cp1006", "cp1125"}
    return sorted(name for name in found - OTHERS if codecs.lookup(name)._is_text_encoding)


def envelope(identifier, text, declared):
    declaration = f"<?xml version='1.0' encoding='{declared}'?>" if declared else ""
    return (
        f"{declaration}<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body>"
        f"<b:sendNotification xmlns:b='{NAMESPACE}'><notification><id>{identifier}</id><recipients>nobody</recipients>"
        f"<timeout>60</timeout><pushContent><badge>0</badge><text>{text}</text><type>UNIVERSAL</type></pushContent>"
        "</notification></b:sendNotification></s:Body></s:Envelope>"
    )


def post(address, body, content_type):
    request = urllib.request.Request(address, body, {"Content-Type": content_type})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()


def text_of(address, identifier):
    body = envelope(identifier, "", None)
    question = f"<b:getNotificationDetails xmlns:b='{NAMESPACE}'><id>{identifier}</id></b:getNotificationDetails>"
    start, end = body.index("<b:"), body.index("</s:Body>")
    answer = post(address, (body[:start] + question + body[end:]).encode(), "text/xml")
    return html.unescape(answer.split("<text>")[1].split("</text>")[0])


def main(wsdl):
    address = wsdl.split("?")[0]
    read, unknown = [], []
    for codec in names():
        text = next(text for text in TEXTS if encodable(text, codec))
        name = codec.replace("_", "-")
        for way in ("header", "declaration"):
            identifier = f"{way}-{codec}"
            body = envelope(identifier, text, name if way == "declaration" else None).encode(codec)
            answer = post(address, body, f"text/xml; charset={name}" if way == "header" else "text/xml")
            if "is not known; use UTF-8" in answer:
                unknown.append(name)
                continue
            if "<status>OK</status>" not in answer:
                sys.exit(f"{name} by its {way}: {answer}")
            if (found := text_of(address, identifier)) != text:
                sys.exit(f"{name} by its {way}: {found!r} in place of {text!r}")
            read.append(name)
    if len(set(read)) < 60:
        sys.exit(f"only {sorted(set(read))} were read")
    print(f"every encoding: {len(set(read))} of Python's were read; iconv has no {', '.join(sorted(set(unknown)))}")


def encodable(text, codec):
    try:
        return text.encode(codec).decode(codec) == text
    except UnicodeError:
        return False


if __name__ == "__main__":
    main(sys.argv[1])
