// SPDX-License-Identifier: Apache-2.0

import Bus
import PushService

extension FCMSettings {
    /// Reads the files that the settings name and reports what is wrong with them.
    func check(_ check: inout ModuleCheck) {
        ProviderFile.checkAuthority(ca, &check)
        guard let file = ProviderFile.read(serviceAccount, "service_account", &check) else { return }
        do throws(ServiceAccount.ReadError) {
            let account = try ServiceAccount(file: file)
            guard account.hasEscapedLines else { return }
            let warning = "'private_key' holds \\n as two characters each; they are taken for line ends"
            check.warning(at: serviceAccount.mark, "'service_account' \(serviceAccount.written): \(warning)")
        } catch {
            for problem in error.problems {
                check.error(at: serviceAccount.mark, "'service_account' \(serviceAccount.written) \(problem)")
            }
        }
    }
}
