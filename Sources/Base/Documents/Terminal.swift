extension Document.Section {
    package func terminal(width: Int) -> String {
        let parts = blocks.map { block in
            switch block {
            case .paragraph(let text): TextWidth.wrapped(Markdown.plain(text), to: width).joined(separator: "\n")
            case .list(let items):
                items.map { item in
                    TextWidth.wrapped(Markdown.plain(item), to: max(8, width - 4)).enumerated()
                        .map { ($0 == 0 ? "  - " : "    ") + $1 }.joined(separator: "\n")
                }.joined(separator: "\n")
            case .table(let table): table.terminal(width: width)
            case .bars(let plot): plot.lines(width: width).joined(separator: "\n")
            }
        }
        return ((heading.map { [$0] } ?? []) + [parts.joined(separator: "\n\n")]).joined(separator: "\n")
    }
}

extension Table {
    /// Returns the table in columns, with its title and note.
    ///
    /// If it is too wide, long cells are wrapped; if that is not enough, the columns are split into several tables
    /// below each other, which all begin with the key columns. The width is in columns, `Int.max` for no limit; the
    /// text does not end with a line feed.
    package func terminal(width: Int = .max) -> String {
        let labels = columns.map(\.label)
        let texts = (labels.allSatisfy(\.isEmpty) ? [] : [labels]) + rows.map { $0.map(Markdown.plain) }
        let parts = groups(of: texts, width: width).map { columns in
            lines(of: columns, texts: texts, widths: widths(of: columns, texts: texts, width: width))
                .joined(separator: "\n")
        }
        let head = title.isEmpty ? [] : TextWidth.wrapped(title, to: width)
        let foot = note.isEmpty ? [] : TextWidth.wrapped(Markdown.plain(note), to: max(8, width - 2)).map { "  " + $0 }
        return (head + [parts.joined(separator: "\n\n")] + foot).joined(separator: "\n")
    }

    /// Columns before the first column, and between two.
    private static var gap: Int { 2 }

    /// Minimum width of a wrapped column, unless all of its words are shorter.
    private static var leastWidth: Int { 14 }

    private func natural(_ column: Int, _ texts: [[String]]) -> Int {
        texts.map { TextWidth.of($0[column]) }.max() ?? 0
    }

    private func least(_ column: Int, _ texts: [[String]]) -> Int {
        let words = texts.map { $0[column].split(separator: " ").map { TextWidth.of(String($0)) }.max() ?? 0 }
        return min(Self.leastWidth, words.max() ?? 0)
    }

    /// Returns the groups of columns that fit beside each other.
    private func groups(of texts: [[String]], width: Int) -> [[Int]] {
        let keyed = Array(columns.indices.prefix(keys))
        let room = keyed.reduce(0) { $0 + Self.gap + least($1, texts) }
        var groups: [[Int]] = []
        var (group, used) = (keyed, room)
        for column in columns.indices.dropFirst(keys) {
            let more = Self.gap + least(column, texts)
            if width < .max, used + more > width, group.count > keyed.count {
                groups.append(group)
                (group, used) = (keyed, room)
            }
            group.append(column)
            used += more
        }
        return groups + [group]
    }

    private func widths(of group: [Int], texts: [[String]], width: Int) -> [Int] {
        var widths = group.map { natural($0, texts) }
        guard width < .max else { return widths }
        let least = group.map { self.least($0, texts) }
        var over = widths.reduce(0) { $0 + $1 + Self.gap } - width
        // The widest column gives a place each time; where none can without breaking words, words are broken.
        while over > 0 {
            let loose = widths.indices.filter { widths[$0] > least[$0] }
            let candidates = loose.isEmpty ? widths.indices.filter { widths[$0] > 1 } : loose
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            over -= 1
        }
        return widths
    }

    private func lines(of group: [Int], texts: [[String]], widths: [Int]) -> [String] {
        texts.flatMap { row in
            let cells = zip(group, widths).map { TextWidth.wrapped(row[$0], to: max(1, $1)) }
            return (0..<(cells.map(\.count).max() ?? 0)).map { line in
                let parts = cells.indices.map { index in
                    TextWidth.padded(
                        line < cells[index].count ? cells[index][line] : "",
                        to: widths[index],
                        onTheLeft: columns[group[index]].isNumber
                    )
                }
                let whole =
                    String(repeating: " ", count: Self.gap)
                    + parts.joined(separator: String(repeating: " ", count: Self.gap))
                return String(whole.reversed().drop { $0 == " " }.reversed())
            }
        }
    }
}
