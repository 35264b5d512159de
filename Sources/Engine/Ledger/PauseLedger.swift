// SPDX-License-Identifier: Apache-2.0

public import Bus

/// Which channels and bank links an operator has stopped: kept over restarts.
public protocol PauseLedger: AnyObject, Sendable {
    /// Keeps that an item of a pipeline is stopped, or forgets it.
    func setPause(
        _ isPaused: Bool,
        of item: String,
        in pipeline: PipelineNumber,
        at now: WallTime,
        completion: @escaping Completion<Void>
    )

    /// Reads the items of a pipeline that are stopped, and since when.
    func pauses(in pipeline: PipelineNumber, completion: @escaping Completion<[String: WallTime]>)
}
