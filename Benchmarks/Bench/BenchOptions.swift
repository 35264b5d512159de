// SPDX-License-Identifier: Apache-2.0

/// What to measure, and how much of it.
struct BenchOptions {
    static let usage = """
        usage: bench [OPTION...]

          --busd PROGRAM     the bus to measure (.build/release/busd)
          --folder FOLDER    where stores are kept meanwhile (.build/bench); its disk is part of what is measured
          --rows LIST        of accept,fanout,receipt,connections,memory,backlog,urgent,large (all)
          --accept N         notifications of row A (100000)
          --fanout N         deliveries of row B (300000)
          --receipt N        notifications of row C (100000)
          --waiting N        deliveries of the memory, backlog and urgent rows (300000)
          --codes N          urgent notifications of the urgent row, one each 100 ms (300)
          --pace N           pushes a second that its provider takes (8000)
          --large N          recipients of the one request of the large row (100000)
          --seconds N        how long wrk loads in a row (8)
          --users N          users with a device each (10000)
          --gate             exit 2 where a bar of CPU is missed
        """

    var program = ".build/release/busd"
    var folder = ".build/bench"
    var rows = ["accept", "fanout", "receipt", "connections", "memory", "backlog", "urgent", "large"]
    var accept = 100_000
    var fanout = 300_000
    var receipt = 100_000
    var waiting = 300_000
    var codes = 300
    var pace = 8_000
    var users = 10_000
    var large = 100_000
    var seconds = 8
    var isGate = false

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--gate" {
                isGate = true
                continue
            }
            if option == "--help" { throw BenchFailure(Self.usage) }
            guard let value = rest.popFirst() else { throw BenchFailure("\(option) needs a value\n\(Self.usage)") }
            switch option {
            case "--busd": program = value
            case "--folder": folder = value
            case "--rows": rows = value.split(separator: ",").map(String.init)
            case "--accept": accept = try Self.count(value)
            case "--fanout": fanout = try Self.count(value)
            case "--receipt": receipt = try Self.count(value)
            case "--waiting": waiting = try Self.count(value)
            case "--codes": codes = try Self.count(value, from: 10)
            case "--pace": pace = try Self.count(value)
            case "--large": large = try Self.count(value)
            case "--seconds": seconds = try Self.count(value, from: 1)
            case "--users": users = try Self.count(value)
            default: throw BenchFailure("there is no option \(option)\n\(Self.usage)")
            }
        }
    }

    /// A size: at least one full request of the widest row, so that no average is over nothing.
    private static func count(_ text: String, from least: Int = 1_000) throws -> Int {
        guard let count = Int(text), (least...10_000_000).contains(count) else {
            throw BenchFailure("\(text) is not a number from \(least) to 10000000")
        }
        return count
    }
}
