// SPDX-License-Identifier: Apache-2.0

import Bus
import Files
import Glibc
import XML

/// The command `import-tomcat`.
enum ImportTomcatCommand: Command {
    static let name = "import-tomcat"
    static let synopsis = "server.xml [--dir DIR]"
    static let summary = "turn an iDa PiGeon server.xml into a node file and a pipeline"
    static let details = """
        busd.yaml and pipelines/pigeon.yaml are written into DIR, which must not have them yet; without --dir they are
        printed one after the other, each under a line '# file: NAME'. Passwords are not in them: comments name the
        variables that are to hold them.
        """

    static func run(_ arguments: inout Arguments) async throws -> ExitStatus {
        let folder = try arguments.option("--dir")
        let named = try arguments.rest()
        guard let path = named.first else { throw UsageError("name a server.xml") }
        if named.count > 1 { throw UsageError("'\(named[1])' is one word too many") }
        let environment: TomcatEnvironment
        do { environment = try TomcatEnvironment(try SmallFile.read(path, atMost: 1 << 20)) } catch {
            let place = (error as? XMLError).map { (max(1, $0.line), max(1, $0.column)) } ?? (1, 1)
            let words =
                (error as? XMLError)?.message ?? "cannot be read: \((error as? SmallFile.ReadError)?.reason ?? "")"
            Console.error("\(path):\(place.0):\(place.1): error: \(words)")
            return .failure
        }
        if environment.values.isEmpty {
            Console.error("\(path):1:1: error: there is no <Environment name=… value=…/> in it")
            return .failure
        }
        let found = TomcatImport(environment)
        for problem in found.problems { Console.error("\(path):1:1: error: \(problem.message)") }
        guard found.problems.isEmpty else { return .failure }
        let files = [("busd.yaml", found.node), ("pipelines/pigeon.yaml", found.pipeline)]
        guard let folder else {
            for (name, text) in files { Console.print("# file: \(name)\n\(text.dropLast())") }
            return .success
        }
        return try write(files, into: folder)
    }

    private static func write(_ files: [(name: String, text: String)], into folder: String) throws -> ExitStatus {
        for (name, _) in files where access("\(folder)/\(name)", F_OK) == 0 {
            Console.error("busd import-tomcat: \(folder)/\(name) is there already; nothing was written")
            return .failure
        }
        try Folder.make("\(folder)/pipelines")
        for (name, text) in files {
            let path = "\(folder)/\(name)"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            let bytes = Array(text.utf8)
            guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
                Console.error("busd import-tomcat: \(path) cannot be written: \(String(cString: strerror(errno)))")
                return .failure
            }
            close(descriptor)
            Console.print(path)
        }
        return .success
    }
}
