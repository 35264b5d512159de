// SPDX-License-Identifier: Apache-2.0

/// What the ledger knows by a number.
protocol Numbered: AnyObject {
    var number: Int64 { get }
}

/// Finds what is in memory by the ledger's number of it.
///
/// What comes together has consecutive numbers, so they stand in pages of 64, and a page is looked up once for all that
/// follow one another.
struct NumberTable<Element: Numbered> {
    private final class Page {
        var places = ContiguousArray<Element?>(repeating: nil, count: 64)
        var count = 0
    }

    private var pages: [Int64: Page] = [:]
    /// The page that was used last.
    private var latest: (number: Int64, page: Page)?
    private(set) var count = 0

    /// What has a number.
    subscript(number: Int64) -> Element? {
        mutating get { page(number >> 6)?.places[Int(number & 63)] }
    }

    /// Takes one in; its number is in the table once at most.
    mutating func insert(_ element: Element) {
        let page = page(element.number >> 6) ?? addPage(element.number >> 6)
        page.places[Int(element.number & 63)] = element
        page.count += 1
        count += 1
    }

    /// Takes one out; returns whether it was in.
    mutating func remove(_ element: Element) -> Bool {
        let number = element.number
        guard let page = page(number >> 6), page.places[Int(number & 63)] === element else { return false }
        page.places[Int(number & 63)] = nil
        page.count -= 1
        count -= 1
        if page.count == 0 {
            pages[number >> 6] = nil
            latest = nil
        }
        return true
    }

    /// All that are as asked, by their numbers.
    func elements(where isMeant: (Element) -> Bool) -> [Element] {
        pages.values.flatMap { $0.places.compactMap { $0 }.filter(isMeant) }.sorted { $0.number < $1.number }
    }

    private mutating func page(_ number: Int64) -> Page? {
        if let latest, latest.number == number { return latest.page }
        guard let page = pages[number] else { return nil }
        latest = (number, page)
        return page
    }

    private mutating func addPage(_ number: Int64) -> Page {
        let page = Page()
        pages[number] = page
        latest = (number, page)
        return page
    }
}
