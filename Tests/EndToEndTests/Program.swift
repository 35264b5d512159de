// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// What a run of `busd` that ends by itself came to.
struct ProgramResult {
    let status: Int32
    let output: String
    let error: String
}

/// Runs `busd` to its end.
func busd(_ arguments: String..., in folder: URL? = nil, environment: [String: String] = [:]) throws -> ProgramResult {
    try busd(arguments, in: folder, environment: environment)
}

/// Runs `busd` to its end.
func busd(_ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]) throws -> ProgramResult {
    let process = Process()
    process.executableURL = BusProcess.program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    let error = Pipe()
    process.standardOutput = output
    process.standardError = error
    try process.run()
    // What a command writes here is far less than a pipe holds, so one is read after the other.
    let written = output.fileHandleForReading.readDataToEndOfFile()
    let complained = error.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return ProgramResult(
        status: process.terminationStatus,
        output: String(decoding: written, as: UTF8.self),
        error: String(decoding: complained, as: UTF8.self)
    )
}

/// Runs `body` with a folder that is gone afterwards.
func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    try await TemporaryFolder.with(body)
}

/// The folder of the checkout that these tests were built from.
let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
