// SPDX-License-Identifier: Apache-2.0

import Bus
import Testing

@Suite("Moments as people see them")
struct WallTimeTests {
    @Test(
        "Whole seconds are rounded down, from one end of time to the other",
        arguments: [
            (0, 0), (999, 0), (1_000, 1), (-1, -1), (-1_000, -1), (-1_001, -2), (Int64.max, 9_223_372_036_854_775),
            (Int64.min, -9_223_372_036_854_776),
        ] as [(Int64, Int64)]
    )
    func seconds(milliseconds: Int64, seconds: Int64) {
        #expect(WallTime(milliseconds: milliseconds).seconds == seconds)
    }
}
