import Basics
import BookCatalogue

/// Parsed lines of a spine: what they say about the book, before any catalogue is asked.
struct ParsedSpine: Sendable, Equatable {
    /// The longest line that is nothing else; nil when there is none.
    var title: String?
    /// Behind "by", or the line after the title, or the one before it.
    var author: String?
    /// Written out in one line, with its check digit right.
    var isbn: ISBN?

    /// - Parameter lines: in reading order.
    init(lines: [String]) {
        var rest: [String] = []
        for line in lines.map(Self.trimmed) where !line.isEmpty {
            if let number = Self.isbn(in: line) {
                isbn = isbn ?? number
            } else if let name = Self.behindBy(line) {
                author = author ?? name
            } else {
                rest.append(line)
            }
        }
        let titleIndex = rest.indices.filter { rest[$0].contains(where: \.isLetter) }
            .max { rest[$0].count < rest[$1].count }
        guard let titleIndex else { return }
        title = rest[titleIndex]
        if author == nil {
            let neighbours = [titleIndex + 1, titleIndex - 1].filter(rest.indices.contains).map { rest[$0] }
            author = neighbours.first(where: Self.isLikeAName)
        }
    }

    private static func trimmed(_ line: String) -> String {
        let isBlank = { (character: Character) in character.isWhitespace }
        let front = line.drop(while: isBlank)
        return String(front.reversed().drop(while: isBlank).reversed())
    }

    /// The first run of digits and hyphens that makes a number.
    private static func isbn(in line: String) -> ISBN? {
        let runs = line.split { !($0.isNumber || $0 == "-" || $0 == " " || $0 == "X" || $0 == "x") }
        return runs.lazy.compactMap { ISBN(trimmed(String($0))) }.first
    }

    private static func behindBy(_ line: String) -> String? {
        guard line.lowercased().hasPrefix("by "), line.count > 4 else { return nil }
        return trimmed(String(line.dropFirst(3)))
    }

    /// One to four words with letters and without digits.
    private static func isLikeAName(_ line: String) -> Bool {
        let words = line.split(whereSeparator: \.isWhitespace)
        return (1...4).contains(words.count) && line.contains(where: \.isLetter) && !line.contains(where: \.isNumber)
            && line.count >= 3
    }
}
