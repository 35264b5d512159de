// SPDX-License-Identifier: Apache-2.0

internal import CNGHTTP2

/// Packs the few fields that belong to one request or response for the shim, in a buffer that is used again.
///
/// Confined to its loop's thread.
final class FieldPacker {
    static let capacity = 16 * 1024
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: FieldPacker.capacity, alignment: 8)
    private(set) var count = 0
    /// Set where the fields did not fit: the request is then refused rather than cut.
    private(set) var isOverflowing = false

    deinit { bytes.deallocate() }

    func reset() {
        count = 0
        isOverflowing = false
    }

    func append(_ name: StaticString, _ value: String, isIndexed: Bool) {
        append(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), value, isIndexed: isIndexed)
    }

    func append(_ header: HTTP2Header) {
        var name = header.name
        name.withUTF8 { append($0, header.value, isIndexed: header.isIndexed) }
    }

    private func append(_ name: UnsafeBufferPointer<UInt8>, _ value: String, isIndexed: Bool) {
        var value = value
        value.withUTF8 { append(name, $0, isIndexed: isIndexed) }
    }

    private func append(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, isIndexed: Bool) {
        let head = MemoryLayout<busd_h2_packed>.size
        guard name.count <= UInt16.max, value.count <= UInt16.max,
            count + head + name.count + value.count <= Self.capacity
        else {
            isOverflowing = true
            return
        }
        let packed = busd_h2_packed(
            name_length: UInt16(name.count),
            value_length: UInt16(value.count),
            flags: isIndexed ? 0 : UInt16(NGHTTP2_NV_FLAG_NO_INDEX.rawValue)
        )
        bytes.storeBytes(of: packed, toByteOffset: count, as: busd_h2_packed.self)
        count += head
        copy(name)
        copy(value)
    }

    private func copy(_ source: UnsafeBufferPointer<UInt8>) {
        guard let base = source.baseAddress else { return }
        (bytes + count).copyMemory(from: base, byteCount: source.count)
        count += source.count
    }
}
