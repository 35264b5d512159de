// SPDX-License-Identifier: Apache-2.0

package import Bus

/// The stored form of a few recipients' names.
package enum RecipientListCodec {
    /// Returns the stored form.
    package static func encode(_ recipients: [RecipientID]) -> [UInt8] {
        var writer = CompactWriter()
        for recipient in recipients { writer.append(recipient.text) }
        return writer.bytes
    }

    /// Reads the stored form back.
    package static func decode(_ bytes: [UInt8]) throws(DamagedBytes) -> [RecipientID] {
        var reader = CompactReader(bytes)
        var recipients: [RecipientID] = []
        while !reader.isAtEnd { recipients.append(RecipientID(try reader.text())) }
        return recipients
    }
}
