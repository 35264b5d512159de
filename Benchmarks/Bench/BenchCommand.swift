// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Measures busd: runs it as a process between a load generator and a stand-in for APNs, and prints what it cost.
///
/// The parts that must not be counted with one another are processes of their own: this program again, told by its
/// first argument what to be.
@main
enum BenchCommand {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case PushStandIn.name:
                try PushStandIn.serve(folder: arguments[1], pace: arguments.count > 2 ? Int(arguments[2]) : nil)
            case BareSender.name: try BareSender.send(BareSender.Order(arguments: Array(arguments.dropFirst())))
            default:
                let options = try BenchOptions(arguments)
                guard try BenchRun(options).run() || !options.isGate else { exit(2) }
            }
        } catch {
            Output.error("bench: \(error)")
            exit(1)
        }
    }
}

/// Something did not work as it must, which no figure can make up for.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// The system refused something.
    init(system what: String) { self.init("\(what): \(String(cString: strerror(errno)))") }
}
