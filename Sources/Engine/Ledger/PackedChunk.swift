// SPDX-License-Identifier: Apache-2.0

package import Bus

/// Some recipients of a large notification in their stored form, in the order of their deliveries.
package struct PackedChunk: Sendable {
    /// The most recipients in one.
    package static let largest = 1_000

    /// How many there are.
    package let count: Int
    /// For how many there is something to do.
    package let openCount: Int
    /// The first one, and so the least: they are sorted.
    package let first: RecipientID
    /// All of them.
    package let bytes: [UInt8]

    /// Packs all deliveries of an acceptance; `closed` are the places, in rising order, of those with nothing to do.
    package static func pack(_ deliveries: [NewDelivery], closed: [Int]) -> [PackedChunk] {
        var closed = closed[...]
        return stride(from: 0, to: deliveries.count, by: largest).map { start in
            let end = min(start + largest, deliveries.count)
            let part = closed.prefix { $0 < end }
            closed = closed.dropFirst(part.count)
            return PackedChunk(deliveries[start..<end], closed: part)
        }
    }

    private init(_ deliveries: ArraySlice<NewDelivery>, closed: ArraySlice<Int>) {
        var writer = CompactWriter(capacity: deliveries.count * 24)
        var closed = closed
        count = deliveries.count
        openCount = count - closed.count
        first = deliveries.first?.recipient ?? ""
        for (place, delivery) in zip(deliveries.indices, deliveries) {
            let isClosed = closed.first == place
            if isClosed { closed.removeFirst() }
            // The bank's one spelling is the recipient himself, which is nearly always.
            let isPlain = delivery.spellings.count == 1 && delivery.spellings[0] == delivery.recipient
            writer.append((isClosed ? Flag.closed : 0) | (isPlain ? 0 : Flag.spelt))
            writer.append(delivery.recipient.text)
            guard !isPlain else { continue }
            writer.append(UInt64(delivery.spellings.count))
            for spelling in delivery.spellings { writer.append(spelling.text) }
        }
        bytes = writer.bytes
    }

    private enum Flag {
        static let closed: UInt64 = 1
        static let spelt: UInt64 = 2
    }

    /// Reads the stored form back; each says whether it is open.
    package static func unpack(_ bytes: [UInt8]) throws(DamagedBytes) -> [NewDelivery] {
        var reader = CompactReader(bytes)
        var deliveries: [NewDelivery] = []
        while !reader.isAtEnd {
            let flags = try reader.number()
            guard flags <= Flag.closed | Flag.spelt else { throw DamagedBytes() }
            let recipient = RecipientID(try reader.text())
            var spellings = [recipient]
            if flags & Flag.spelt != 0 {
                spellings = []
                // The count is not trusted with memory: each takes bytes, so a false one ends in an error.
                for _ in 0..<(try reader.number()) { spellings.append(RecipientID(try reader.text())) }
            }
            deliveries.append(
                NewDelivery(recipient: recipient, spellings: spellings, isOpen: flags & Flag.closed == 0)
            )
        }
        return deliveries
    }

    /// Finds a recipient by the bytes of the name alone; `nil` where there is none of them.
    package static func place(of recipient: RecipientID, in bytes: [UInt8]) throws(DamagedBytes) -> Int? {
        var reader = CompactReader(bytes)
        let wanted = Array(recipient.text.utf8)
        var place = 0
        while !reader.isAtEnd {
            let flags = try reader.number()
            if try reader.skipText(equal: wanted) { return place }
            if flags & Flag.spelt != 0 {
                for _ in 0..<(try reader.number()) { _ = try reader.skipText(equal: wanted) }
            }
            place += 1
        }
        return nil
    }
}
