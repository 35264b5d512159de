// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

struct URLAuthorityTests {
    @Test(
        "A host and a port are read, and this machine is known by its addresses only",
        arguments: [
            ("bank.example", "bank.example", nil, false), ("bank.example:8443", "bank.example", 8443, false),
            ("127.0.0.1:80", "127.0.0.1", 80, true), ("127.9.9.9", "127.9.9.9", nil, true),
            ("[::1]:1", "::1", 1, true), ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1", nil, true),
            ("[2001:db8::1]", "2001:db8::1", nil, false), ("LOCALHOST", "LOCALHOST", nil, true),
            ("127.evil.com", "127.evil.com", nil, false), ("localhost.evil.com", "localhost.evil.com", nil, false),
            ("a_b", "a_b", nil, false), ("128.0.0.1", "128.0.0.1", nil, false),
        ] as [(String, String, UInt16?, Bool)]
    )
    func reads(text: String, host: String, port: UInt16?, isLoopback: Bool) throws {
        let authority = try URLAuthority(text)
        #expect(authority.host == host)
        #expect(authority.port == port)
        #expect(authority.isLoopback == isLoopback)
    }

    @Test(
        "What could be taken for something else is refused",
        arguments: [
            "", ":80", "a:99999", "a:0", "a:", "a:+80", "a:8 0", "a:1:2", "[::1", "[::1]x", "[::1]:99999", "[]",
            "[::g]",
            "user@a", "127.1", "0x7f.1", "1.2.3.256", "1.2.3.4.5", "a..b", ".a", "ä.example", "a b",
            String(repeating: "a", count: 64),
        ]
    )
    func refuses(text: String) {
        #expect(throws: SettingsProblem.self) { try URLAuthority(text) }
    }
}
