// SPDX-License-Identifier: Apache-2.0

import JSON

/// What the sandbox tells programs and people about itself, in `sandbox.json` and `README.txt`.
struct AddressBook {
    let control: String
    let apns: String
    let topics: [String]?

    var json: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("control")
        writer.string(control)
        writer.key("ca")
        writer.string(SandboxKeys.authorityFile)
        writer.key("apns")
        writer.beginObject()
        writer.key("endpoint")
        writer.string(apns)
        writer.key("key")
        writer.string(SandboxKeys.keyFile)
        writer.key("keyId")
        writer.string(SandboxKeys.keyID)
        writer.key("teamId")
        writer.string(SandboxKeys.teamID)
        writer.endObject()
        writer.endObject()
        return writer.text + "\n"
    }

    var readme: String {
        """
        busd sandbox: stand-ins for the outside world, on this machine only.

        APNs      \(apns)   (HTTP/2 over TLS, checks what Apple checks)
        control   \(control)   (what arrived, and failures on demand)
        The same addresses for programs: sandbox.json

        In a pipeline file beside this folder's files:

            outbound:
              - apns:
                  endpoint: \(apns)
                  topic: \(topics?.first ?? "com.example.bank")
                  auth: { key: { path: \(SandboxKeys.keyFile), key_id: \(SandboxKeys.keyID), team_id: \(SandboxKeys.teamID) } }
                  ca: \(SandboxKeys.authorityFile)

        What arrived, the latest last; ?token=TOKEN for one device; DELETE forgets it all:

            curl \(control)/records

        Let the next three pushes to a device fail ("token": "*" for every device):

            curl -X PUT \(control)/rules -d '{"rules": [
              {"token": "00ff", "status": 503, "reason": "ServiceUnavailable", "retryAfter": "3", "times": 3}]}'

        A rule has: token, effect (answer, silence, refuse, reset, goaway, drop), status, reason, timestamp,
        retryAfter, body, delay and lasting (milliseconds), streamLimit, times, every (meets every n-th request).
        Requests that Apple would refuse are refused before any rule is asked. GET /rules shows what is left of them,
        GET /stats counts connections and streams.

        """
    }
}
