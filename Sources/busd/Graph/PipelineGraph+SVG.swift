// SPDX-License-Identifier: Apache-2.0

/// The picture as SVG, drawn here: columns from the left to the right, as a message goes.
extension PipelineGraph {
    private static let lineHeight = 18
    private static let padding = 12
    private static let gap = (x: 110, y: 22)
    private static let margin = (x: 24, top: 56, bottom: 24)

    private struct Box {
        let node: Node
        let x: Int
        var y: Int
        let width: Int
        let height: Int

        var middle: Int { y + height / 2 }
    }

    /// The text of an SVG file.
    var svg: String {
        let boxes = layout()
        let width = (boxes.map { $0.x + $0.width }.max() ?? 0) + Self.margin.x
        let height = (boxes.map { $0.y + $0.height }.max() ?? 0) + Self.margin.bottom
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="13">
            <title>\(Self.escaped(title))</title>
            <defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" \
            orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="#555"/></marker></defs>
            <rect width="\(width)" height="\(height)" fill="#fff"/>
            <text x="\(Self.margin.x)" y="32" font-size="18" font-weight="bold">\(Self.escaped(title))</text>

            """
        for edge in edges { text += Self.line(edge, boxes) }
        for box in boxes { text += Self.shape(box) }
        return text + "</svg>\n"
    }

    /// Each column as wide as its widest box, and all columns around one middle line.
    private func layout() -> [Box] {
        let columns = Dictionary(grouping: nodes, by: \.column)
        var boxes: [Box] = []
        var x = Self.margin.x
        for column in columns.keys.sorted() {
            let members = columns[column] ?? []
            let width = members.map(Self.width).max() ?? 0
            var y = 0
            for node in members {
                let height = node.lines.count * Self.lineHeight + Self.padding
                boxes.append(Box(node: node, x: x, y: y, width: width, height: height))
                y += height + Self.gap.y
            }
            let labels = edges.filter { edge in members.contains { $0.id == edge.from } }.map(\.label.count)
            x += width + max(Self.gap.x, (labels.max() ?? 0) * 6 + 40)
        }
        let heights = Dictionary(grouping: boxes, by: \.x).mapValues { ($0.map { $0.y + $0.height }.max() ?? 0) }
        let tallest = heights.values.max() ?? 0
        for place in boxes.indices {
            boxes[place].y += Self.margin.top + (tallest - (heights[boxes[place].x] ?? 0)) / 2
        }
        // What one box alone leads to stands beside it.
        for place in boxes.indices where boxes[place].node.kind == .farEnd {
            guard let edge = edges.first(where: { $0.to == boxes[place].node.id }),
                let source = boxes.first(where: { $0.node.id == edge.from })
            else { continue }
            boxes[place].y = source.middle - boxes[place].height / 2
        }
        return boxes
    }

    private static func width(_ node: Node) -> Int {
        2 * padding + (node.lines.map(\.count).max() ?? 0) * 15 / 2
    }

    private static func line(_ edge: Edge, _ boxes: [Box]) -> String {
        guard let from = boxes.first(where: { $0.node.id == edge.from }),
            let to = boxes.first(where: { $0.node.id == edge.to })
        else { return "" }
        let (x1, y1, x2, y2) = (from.x + from.width, from.middle, to.x, to.middle)
        let bend = max(20, (x2 - x1) / 2)
        let dash = edge.isFallback ? " stroke-dasharray=\"5 4\"" : ""
        var text = """
            <path d="M\(x1) \(y1)C\(x1 + bend) \(y1) \(x2 - bend) \(y2) \(x2) \(y2)" fill="none" stroke="#555"\(dash) \
            marker-end="url(#arrow)"/>

            """
        if !edge.label.isEmpty {
            text += """
                <text x="\((x1 + x2) / 2)" y="\((y1 + y2) / 2 - 5)" font-size="10" text-anchor="middle" \
                fill="#333">\(escaped(edge.label))</text>

                """
        }
        return text
    }

    private static func shape(_ box: Box) -> String {
        let radius = box.node.kind == .caller || box.node.kind == .farEnd ? box.height / 2 : 4
        let dash = box.node.isEnabled ? "" : " stroke-dasharray=\"4 4\""
        var text = """
            <rect x="\(box.x)" y="\(box.y)" width="\(box.width)" height="\(box.height)" rx="\(radius)" \
            fill="\(fill(box.node.kind))" stroke="#555"\(dash)/>

            """
        for (row, line) in box.node.lines.enumerated() {
            let y = box.y + padding / 2 + row * lineHeight + 13
            text += """
                <text x="\(box.x + box.width / 2)" y="\(y)" text-anchor="middle"\
                \(row == 0 ? " font-weight=\"bold\"" : "")>\(escaped(line))</text>

                """
        }
        return text
    }

    private static func fill(_ kind: Node.Kind) -> String {
        switch kind {
        case .caller, .farEnd: "#f4f4f4"
        case .inbound: "#e3f0fb"
        case .stage: "#fdf3d8"
        case .ledger: "#e9e4f5"
        case .channel: "#e2f3e5"
        case .phones: "#fbe6dd"
        case .bankLink: "#e3f0fb"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
