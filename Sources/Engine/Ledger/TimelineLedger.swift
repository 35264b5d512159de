// SPDX-License-Identifier: Apache-2.0

public import Bus

/// What happened to notifications, step by step.
public protocol TimelineLedger: AnyObject, Sendable {
    /// Reads the steps of a notification with all its recipients, oldest first, the first `limit` of them; `nil`
    /// where there is no such notification.
    func timeline(
        of id: NotificationID,
        in pipeline: PipelineNumber,
        limit: Int,
        completion: @escaping Completion<[TimelineEvent]?>
    )
}
