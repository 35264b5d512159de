// SPDX-License-Identifier: Apache-2.0

/// Lets handlers wait until a test opens it, and a test until a handler has come.
public final class HandlerGate: Sendable {
    private let arrived: AsyncStream<Void>
    private let arrive: AsyncStream<Void>.Continuation
    private let opened: AsyncStream<Void>
    private let opener: AsyncStream<Void>.Continuation

    /// Creates a closed one.
    public init() {
        (arrived, arrive) = AsyncStream.makeStream()
        (opened, opener) = AsyncStream.makeStream()
    }

    /// For the handler.
    public func pass() async {
        arrive.yield()
        for await _ in opened { return }
    }

    /// For the test: waits for one handler.
    public func waitForArrival() async {
        for await _ in arrived { return }
    }

    /// Lets all through, from now on.
    public func open() { opener.finish() }
}
