// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

/// A generator with a fixed seed (SplitMix64): a failure comes again.
private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}

struct JSONFuzzTests {
    private static let seed = Array(
        #"{"id":"a\u00e9\ud83d\ude00","n":[-1.5e3,0,9007199254740993],"o":{"k":null,"t":true},"s":"Привет \"\\"}"#.utf8
    )

    @Test("Damaged texts are refused or read, and what is read survives being written", .timeLimit(.minutes(1)))
    func damaged() throws {
        var dice = Dice(state: 20_261_130)
        var read = 0
        for _ in 0..<20_000 {
            var text = Self.seed
            for _ in 0...Int.random(in: 0..<4, using: &dice) {
                let place = Int.random(in: 0..<text.count, using: &dice)
                switch UInt8.random(in: 0..<4, using: &dice) {
                case 0: text[place] = UInt8.random(in: 0...255, using: &dice)
                case 1: text.remove(at: place)
                case 2: text.insert(text[Int.random(in: 0..<text.count, using: &dice)], at: place)
                default: text.removeLast(min(text.count - 1, place % 8))
                }
            }
            guard let value = try? JSONValue(parsing: text) else { continue }
            read += 1
            var writer = JSONWriter()
            writer.value(value)
            #expect(try JSONValue(parsing: writer.bytes) == value)
        }
        #expect(read > 500)
    }

    @Test("Any text survives", .timeLimit(.minutes(1)))
    func texts() throws {
        var dice = Dice(state: 7)
        for _ in 0..<5_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<12, using: &dice) {
                let value = UInt32.random(in: 1...(Bool.random(using: &dice) ? 0x7f : 0x10ffff), using: &dice)
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            var writer = JSONWriter()
            writer.string(text)
            #expect(try JSONValue(parsing: writer.bytes).string?.utf8.elementsEqual(text.utf8) == true)
        }
    }
}
