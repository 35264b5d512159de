// SPDX-License-Identifier: Apache-2.0

import JSON

/// What the sandbox tells programs and people about itself, in `sandbox.json` and `README.txt`.
struct AddressBook {
    private let control: String
    private let apns: String
    private let fcm: String
    private let oauth: String
    private let bank: String
    private let sms: String
    private let topics: [String]?

    init(_ sandbox: Sandbox, topics: [String]?) {
        control = sandbox.control
        apns = sandbox.apns.endpoint
        fcm = sandbox.fcm.endpoint
        oauth = sandbox.oauth.endpoint
        bank = sandbox.bank.url
        sms = sandbox.sms.endpoint
        self.topics = topics
    }

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
        writer.key("fcm")
        writer.beginObject()
        writer.key("endpoint")
        writer.string(fcm)
        writer.key("serviceAccount")
        writer.string(ServiceAccountKey.file)
        writer.key("project")
        writer.string(ServiceAccountKey.project)
        writer.key("tokenUri")
        writer.string(oauth + OAuthDesk.path)
        writer.endObject()
        writer.key("sms")
        writer.beginObject()
        writer.key("url")
        writer.string(sms)
        writer.key("username")
        writer.string(SMSDesk.username)
        writer.key("password")
        writer.string(SMSDesk.password)
        writer.endObject()
        writer.key("bank")
        writer.beginObject()
        writer.key("url")
        writer.string(bank)
        writer.endObject()
        writer.endObject()
        return writer.text + "\n"
    }

    var readme: String {
        """
        busd sandbox: stand-ins for the outside world, on this machine only.

        APNs      \(apns)   (HTTP/2 over TLS, checks what Apple checks)
        FCM       \(fcm)   (HTTP/2 over TLS, checks what FCM checks)
        OAuth     \(oauth)   (access tokens for FCM)
        bank      \(bank)   (SOAP: events, and questions about subscriptions)
        SMS       \(sms)   (Kannel's interface)
        control   \(control)   (what arrived, and failures on demand)
        The same addresses for programs: sandbox.json

        In a pipeline file beside this folder's files:

            outbound:
              - apns:
                  endpoint: \(apns)
                  topic: \(topics?.first ?? "com.example.bank")
                  auth: { key: { path: \(SandboxKeys.keyFile), key_id: \(SandboxKeys.keyID), team_id: \(SandboxKeys.teamID) } }
                  ca: \(SandboxKeys.authorityFile)
              - fcm: { endpoint: "\(fcm)", service_account: \(ServiceAccountKey.file), ca: \(SandboxKeys.authorityFile) }
              - sms_gateway: { url: "\(sms)", username: \(SMSDesk.username), password: \(SMSDesk.password) }
              - soap_bank: { url: "\(bank)" }

        What arrived, the latest last; ?token=TOKEN for one device, ?service=fcm for one service (apns, fcm, oauth, sms);
        DELETE forgets it all:

            curl \(control)/records

        Let the next three pushes to a device fail ("token": "*" for every device):

            curl -X PUT \(control)/rules -d '{"rules": [
              {"token": "00ff", "status": 503, "reason": "ServiceUnavailable", "retryAfter": "3", "times": 3},
              {"service": "fcm", "token": "*", "status": 404, "reason": "UNREGISTERED", "every": 100},
              {"service": "oauth", "status": 400, "reason": "invalid_grant", "times": 1},
              {"service": "sms", "token": "+79160000001", "report": "undeliverable"}]}'

        A rule has: service (apns), token (a phone number for sms), effect (answer, silence, refuse, reset, goaway, drop), status, reason, timestamp,
        retryAfter, body, delay and lasting (milliseconds), streamLimit, report (of the SMS gateway: delivered, undeliverable, refused, none), times, every (meets every n-th
        request), after (how many it lets pass first), connections (only on the first so many), perConnection (counts on each for itself).
        Requests that the provider would refuse are refused before any rule is asked. GET /rules shows what is left of them,
        GET /stats counts connections and streams.

        End all access tokens for FCM before their time; say how long new ones live, and how far the token endpoint's
        clock is ahead (both in seconds):

            curl -X DELETE \(control)/fcm/tokens
            curl -X PUT \(control)/fcm/tokens -d '{"lifetime": 60, "clockAhead": 0}'

        The bank knows everybody, has nobody's consent, and its code is 123456. What it was asked and told, the latest
        last (DELETE forgets it all), and what it knows and how it fails:

            curl \(control)/bank/calls
            curl -X PUT \(control)/bank/script -d '{"authorized": ["ivanov"], "code": "4711",
              "unknownClients": ["99"], "refused": ["petrov"], "delay": 0, "down": false,
              "failures": [{"operation": "pushIsOpened", "status": 500, "fault": "Server", "times": 3}]}'

        """
    }
}
