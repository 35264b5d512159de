// SPDX-License-Identifier: Apache-2.0

/// The figures as a table in Markdown, printed row by row as they come.
struct Table {
    static let head = """

        | work | count | a second | bar | CPU s per 100,000 | bar | ratio to bare | p50 ms | p99 ms | peak MiB |
        | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
        """

    /// Whether every row that has a bar of CPU kept it.
    private(set) var allBarsMet = true

    /// Prints a row; `bare` is what the libraries alone cost for the same work.
    mutating func add(_ name: String, _ measured: Measurement, _ bar: Bar? = nil, against bare: Double? = nil) {
        if let bar, measured.cpuPer100000 > bar.cpuPer100000 { allBarsMet = false }
        let cells = [
            name,
            "\(measured.count)",
            "\(Int(measured.rate))",
            bar.map { "\($0.rate)" } ?? "",
            Self.decimal(measured.cpuPer100000),
            bar.map { Self.decimal($0.cpuPer100000) } ?? "",
            bare.map { Self.decimal(measured.cpuPer100000 / max($0, 0.01)) } ?? "",
            Self.milliseconds(measured.times?.median),
            Self.milliseconds(measured.times?.p99),
            "\(measured.peakResident / 1_024)",
        ]
        Output.line("| " + cells.joined(separator: " | ") + " |")
    }

    private static func milliseconds(_ nanoseconds: UInt64?) -> String {
        nanoseconds.map { decimal(Double($0) / 1e6) } ?? ""
    }

    /// Two digits behind the point.
    static func decimal(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

/// What the figures were measured on.
enum Machine {
    static func description() throws -> String {
        let processors = try SystemText.read("/proc/cpuinfo")
        let model = SystemText.line(behind: "model name", in: processors) ?? "unknown processor"
        let count = processors.split(separator: "\n").filter { $0.hasPrefix("processor") }.count
        let kernel = try SystemText.read("/proc/sys/kernel/osrelease").split(separator: "\n").first ?? ""
        return "\(count) x \(model), Linux \(kernel); load average at the start: \(try load())"
    }

    static func load() throws -> String {
        try SystemText.read("/proc/loadavg").split(separator: " ").prefix(3).joined(separator: " ")
    }
}
