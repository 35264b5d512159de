// SPDX-License-Identifier: Apache-2.0

/// Follows the requests of one connection through the bytes that arrive, and finds the first that breaks the rules.
///
/// libmicrohttpd takes for good much that another reader in front of it may understand differently, and then two see
/// two different requests in the same bytes. What passes here has one meaning only.
struct RequestScanner {
    /// What the bytes were.
    enum Verdict: Equatable {
        /// All is well; whether a request ended within them.
        case good(endsRequest: Bool)
        /// A request is bad that began so many bytes into them; 0 where it had begun before.
        case bad(FramingFault, from: Int)
        /// A head is well-formed that ends before so many bytes, and the end of its body could be seen in two places.
        case ambiguous(from: Int)
    }

    /// Where the connection stands between two reads.
    enum Position { case between, head, body }

    private var head: HeadScanner
    private var body: BodyScanner?

    /// For a server that gives each connection so many bytes for a head.
    init(memory: Int) { head = HeadScanner(memory: memory) }

    /// Where the connection stands.
    var position: Position { body != nil ? .body : head.isAtStart ? .between : .head }

    /// Takes the bytes that were read next.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        var index = 0
        var begin = 0
        var endsRequest = false
        do throws(FramingFault) {
            while index < bytes.count {
                if body == nil {
                    index += try head.take(bytes[index...])
                    body = head.body
                    if body?.isAmbiguous == true { return .ambiguous(from: index) }
                } else if let count = try body?.take(bytes[index...]) {
                    index += count
                }
                if body?.isEnded == true {
                    body = nil
                    head.reset()
                    endsRequest = true
                    begin = index
                }
            }
        } catch {
            return .bad(error, from: begin)
        }
        return .good(endsRequest: endsRequest)
    }
}
