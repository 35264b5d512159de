// SPDX-License-Identifier: Apache-2.0

import Bus
import Engine

/// A link to a bank.
struct LinkRow: Sendable {
    let number: LinkNumber
    let pipeline: PipelineNumber
    /// What it wants to hear, and its name.
    var declaration: LinkDeclaration
}

/// What a bank is to hear of one notification, in its order.
struct LineRow: Sendable {
    /// What waits in a line, under the ledger's number.
    struct Waiting: Sendable {
        let number: Int64
        let callback: LineCallback
        let since: DueTime
    }

    let number: Int64
    let link: LinkNumber
    let notification: Int64
    var due: DueTime
    var attempts = 0
    var waiting: [Waiting] = []
}

/// The links, and the lines of what they are to hear.
struct CallbackTable: Sendable {
    private(set) var links: [LinkRow] = []
    var lines: [Int64: LineRow] = [:]
    private var lastLine: Int64 = 0
    private var lastCallback: Int64 = 0

    /// Says what a pipeline's links want to hear; those that are not named want nothing.
    mutating func declare(_ declared: [LinkDeclaration], in pipeline: PipelineNumber) -> [LinkNumber] {
        for index in links.indices where links[index].pipeline == pipeline {
            links[index].declaration = LinkDeclaration(label: links[index].declaration.label, events: [])
        }
        return declared.map { declare($0, in: pipeline) }
    }

    private mutating func declare(_ link: LinkDeclaration, in pipeline: PipelineNumber) -> LinkNumber {
        if let index = links.firstIndex(where: { $0.pipeline == pipeline && $0.declaration.label == link.label }) {
            links[index].declaration = link
            return links[index].number
        }
        let number = LinkNumber(rawValue: Int64(links.count + 1))
        links.append(LinkRow(number: number, pipeline: pipeline, declaration: link))
        return number
    }

    subscript(link: LinkNumber) -> LinkRow? { links.first { $0.number == link } }

    func wantsUnconfirmed(_ pipeline: PipelineNumber) -> Bool {
        links.contains { $0.pipeline == pipeline && $0.declaration.reportsUnconfirmed }
    }

    /// Puts callbacks at the end of a notification's line, which opens where there was none.
    mutating func add(
        _ callbacks: [LineCallback],
        about notification: Int64,
        to link: LinkNumber,
        due: DueTime,
        since: DueTime
    ) {
        guard !callbacks.isEmpty else { return }
        let known = lines.values.first { $0.link == link && $0.notification == notification }
        if known == nil { lastLine += 1 }
        var line = known ?? LineRow(number: lastLine, link: link, notification: notification, due: due)
        for callback in callbacks {
            lastCallback += 1
            line.waiting.append(LineRow.Waiting(number: lastCallback, callback: callback, since: since))
        }
        lines[line.number] = line
    }

    mutating func capWaits(_ pipeline: PipelineNumber, at latest: DueTime) {
        for line in lines.values where line.due > latest && self[line.link]?.pipeline == pipeline {
            lines[line.number]?.due = latest
        }
    }
}
