#!/usr/bin/env python3
"""An external stage: no offers at night. One JSON object a line comes in, one goes out."""
import json
import sys
import time

for line in sys.stdin:
    question = json.loads(line)
    message = question["message"]
    answer = {"id": question["id"], "verdict": "proceed"}
    hour = time.localtime().tm_hour
    if message["pushContent"]["type"] == "PRODUCT" and (hour >= 22 or hour < 8):
        answer = {"id": question["id"], "verdict": "drop", "reason": "offers wait for the day"}
    elif message["pushContent"]["text"].startswith("TEST "):
        message["pushContent"]["text"] = message["pushContent"]["text"][5:]
        answer["message"] = message
    print(json.dumps(answer), flush=True)
