/// The text of a report in sections, independent of its format.
package struct Document: Sendable, Equatable {
    package enum Block: Sendable, Equatable {
        /// May hold Markdown's marks for stress, code and links.
        case paragraph(String)
        case list([String])
        case table(Table)
        case bars(BarPlot)
    }

    package struct Section: Sendable, Equatable, Encodable {
        /// Heading; nil for a section without one.
        package var heading: String?
        package var blocks: [Block]
        /// Whether it stays where a document has to be shortened.
        package var isSummary: Bool

        private enum CodingKeys: CodingKey { case heading, blocks }

        package init(_ heading: String?, isSummary: Bool = false, _ blocks: [Block]) {
            (self.heading, self.blocks, self.isSummary) = (heading, blocks, isSummary)
        }

        /// Creates a section that is one table, whose title is the heading.
        package init(_ table: Table) {
            var bare = table
            (bare.title, bare.note) = ("", "")
            self.init(table.title, (table.note.isEmpty ? [] : [.paragraph(table.note)]) + [.table(bare)])
        }
    }

    package var title: String
    package var sections: [Section]

    package init(_ title: String, _ sections: [Section]) { (self.title, self.sections) = (title, sections) }
}

/// Stored as a text, a list of texts or a table; of bars, which only stand for a plot, nothing.
extension Document.Block: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .paragraph(let text): try container.encode(text)
        case .list(let items): try container.encode(items)
        case .table(let table): try container.encode(table)
        case .bars: try container.encodeNil()
        }
    }
}
