extension Document {
    /// Returns the document in Markdown, headings of level `level` and below.
    package func markdown(level: Int = 1) -> String {
        let head = title.isEmpty ? [] : [String(repeating: "#", count: level) + " " + title]
        return (head + sections.map { $0.markdown(level: level + 1) }).joined(separator: "\n\n") + "\n"
    }

    /// Returns the document in Markdown, in at most `limit` characters; `whole` is the file that has all of it.
    ///
    /// The longest sections other than summaries are omitted first, and leave a line that refers to that file; then
    /// rows of the longest tables.
    package func markdown(limit: Int, whole: String) -> String {
        var short = self
        var length = markdown().count
        let lengths = sections.map { $0.markdown(level: 2).count }
        for index in sections.indices.sorted(by: { lengths[$0] > lengths[$1] })
        where !sections[index].isSummary && length > limit {
            let before = lengths[index]
            short.sections[index].blocks = [.paragraph("Omitted here; see \(whole).")]
            length -= before - short.sections[index].markdown(level: 2).count
        }
        while short.markdown().count > limit, let place = short.longestBlock {
            short.sections[place.section].blocks[place.block].halve(whole: whole)
        }
        return short.markdown()
    }

    private typealias Place = (section: Int, block: Int)

    private var longestBlock: Place? {
        let places = sections.indices.flatMap { section in
            sections[section].blocks.indices.map { Place(section, $0) }
        }
        func lines(_ place: Place) -> Int { sections[place.section].blocks[place.block].lines }
        return places.filter { lines($0) > 2 }.max { lines($0) < lines($1) }
    }
}

extension Document.Block {
    /// Rows, items or bars.
    fileprivate var lines: Int {
        switch self {
        case .paragraph: 1
        case .list(let items): items.count
        case .table(let table): table.rows.count
        case .bars(let plot): plot.bars.count
        }
    }

    /// Removes the second half of the lines, and adds a reference to them.
    fileprivate mutating func halve(whole: String) {
        let note = "Only the first rows; all are in \(whole)."
        switch self {
        case .paragraph: break
        case .list(let items): self = .list(items.filter { $0 != note }.prefix(items.count / 2) + [note])
        case .table(var table):
            table.rows.removeLast((table.rows.count + 1) / 2)
            if !table.note.hasSuffix(note) { table.note += (table.note.isEmpty ? "" : " ") + note }
            self = .table(table)
        case .bars(var plot):
            plot.bars =
                plot.bars.filter { $0.name != "…" }.prefix(plot.bars.count / 2)
                + [BarPlot.Bar("…", nil, text: "in \(whole)")]
            self = .bars(plot)
        }
    }
}

extension Document.Section {
    func markdown(level: Int) -> String {
        let head = heading.map { [String(repeating: "#", count: level) + " " + $0] } ?? []
        return (head + blocks.map(\.markdown)).joined(separator: "\n\n")
    }
}

extension Document.Block {
    fileprivate var markdown: String {
        switch self {
        case .paragraph(let text): text
        case .list(let items): items.map { "- \($0)" }.joined(separator: "\n")
        case .table(let table): table.markdown
        case .bars(let plot): "```text\n\(plot.lines(width: 76).joined(separator: "\n"))\n```"
        }
    }
}

extension Table {
    package var markdown: String {
        let rules = columns.map { $0.isNumber ? "---:" : "---" }
        let lines = ([columns.map(\.label), rules] + rows).map { row in
            "| " + row.map(Markdown.line).joined(separator: " | ") + " |"
        }
        let head = [title.isEmpty ? "" : "**\(Markdown.line(title))**", note].filter { !$0.isEmpty }
        return (head + [lines.joined(separator: "\n")]).joined(separator: "\n\n")
    }
}

package enum Markdown {
    /// Returns the text without characters that end a cell or a line.
    package static func line(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing(#/\r\n|\r|\n/#, with: " ")
    }

    /// Returns external text with all markup escaped; cells still have to be made ``line(_:)``.
    package static func literal(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "<": result += "&lt;"
            case "`", "*", "_", "[", "]": result += "\\" + String(character)
            default: result.append(character)
            }
        }
    }

    /// Returns the text without the marks for stress and code, and without their escapes.
    package static func plain(_ text: String) -> String {
        text.replacing("**", with: "").replacing("`", with: "").replacing("\\*", with: "*")
    }
}
