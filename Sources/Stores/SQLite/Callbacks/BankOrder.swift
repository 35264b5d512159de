// SPDX-License-Identifier: Apache-2.0

import Engine

/// The stored form of the order in which a bank named recipients whose deliveries are kept in another.
///
/// It names the delivery of each spelling; a delivery's spellings follow one another in the bank's order anyway.
enum BankOrder {
    static func encode(_ order: [Int]) -> [UInt8] { NumberListCodec.encode(order.map { Int64($0) }) }

    /// Puts elements into the bank's order; `deliveries` are the ranges of each delivery's elements, one after another.
    ///
    /// Bytes that are no order of just these leave them as they are.
    static func arrange<Element>(_ elements: [Element], of deliveries: [Range<Int>], by bytes: [UInt8]) -> [Element] {
        guard let order = try? NumberListCodec.decode(bytes, atMost: elements.count), order.count == elements.count
        else { return elements }
        var next = deliveries.map(\.lowerBound)
        var arranged: [Element] = []
        arranged.reserveCapacity(elements.count)
        for number in order {
            guard let place = Int(exactly: number), deliveries.indices.contains(place),
                next[place] < deliveries[place].upperBound
            else { return elements }
            arranged.append(elements[next[place]])
            next[place] += 1
        }
        return arranged
    }
}
