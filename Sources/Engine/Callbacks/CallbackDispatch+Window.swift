// SPDX-License-Identifier: Apache-2.0

import Bus

/// The windows: what of the ledger's lines is in memory, and which calls are begun.
extension CallbackDispatch {
    /// Takes a page that the ledger read.
    mutating func load(_ link: Int, _ result: Result<CallbackPage, LedgerError>, at now: ClockReading) {
        links[link].isLoading = false
        let departed = links[link].departed
        links[link].departed = []
        switch result {
        case .failure(let error):
            actions.append(
                .note(.error, "cannot read what a bank is to hear", link: links[link].label, reason: "\(error)")
            )
            note(link, due: now.due.adding(milliseconds: settings.ledgerPause))
        case .success(let page):
            if let due = page.nextDue { note(link, due: due) }
            if page.hasMore { links[link].isSpilled = true }
            for call in page.calls where entries[call.line] == nil {
                if departed.contains(call.line) {
                    links[link].isSpilled = true
                    continue
                }
                entries[call.line] = Entry(link: link, call: call)
                links[link].count += 1
                links[link].ready.append(call.line)
            }
        }
    }

    /// Notes when a line that is not in memory is due.
    func earlier(_ left: DueTime?, _ right: DueTime) -> DueTime { min(left ?? .distantFuture, right) }

    mutating func note(_ link: Int, due: DueTime) { links[link].nextDue = earlier(links[link].nextDue, due) }

    /// Begins as many calls as may be under way at once; one while the link is being probed.
    mutating func pump(_ link: Int, at now: ClockReading) {
        var events: [BankEvent] = []
        while !links[link].isPaused, links[link].flights < settings.flights, !links[link].ready.isEmpty,
            links[link].health.admits(at: now.monotonic), let line = links[link].ready.popFirst()
        {
            guard let entry = entries[line], entry.phase == .ready else { continue }
            entries[line]?.phase = .flying
            links[link].flights += 1
            lastTicket += 1
            flights[lastTicket] = (line, now.monotonic)
            events.append(
                BankEvent(
                    ticket: lastTicket,
                    kind: entry.call.kind,
                    notification: entry.call.notification,
                    users: entry.call.users,
                    at: entry.call.at
                )
            )
        }
        if !events.isEmpty { actions.append(.send(link: link, events)) }
    }

    /// Asks the ledger for more where the window is half empty and there may be more.
    mutating func refill(_ link: Int, at now: ClockReading) {
        var state = links[link]
        if let due = state.nextDue, due <= now.due { state.isSpilled = true }
        if state.isSpilled, !state.isLoading, hasRoom(state) {
            // The page begins where those in memory stand: it is longer by their number.
            actions.append(.load(link: link, limit: state.count + settings.window / 2))
            state.isSpilled = false
            state.nextDue = nil
            state.isLoading = true
        }
        links[link] = state
    }

    /// Removes a line whose call's end, or next attempt, is written.
    mutating func forget(_ line: Int64) {
        guard let entry = entries.removeValue(forKey: line) else { return }
        links[entry.link].count -= 1
        if links[entry.link].isLoading { links[entry.link].departed.insert(line) }
    }
}
