// SPDX-License-Identifier: Apache-2.0

@main
struct BusdCommand {
    static func main() {}
}
