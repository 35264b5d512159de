// SPDX-License-Identifier: Apache-2.0

import Bus

/// A link to a bank under the name it has in its pipeline.
struct NamedBankLink: Sendable {
    /// The instance's name: callbacks are kept under it, so a restart finds them again.
    let label: String
    let link: any BankLink
}
