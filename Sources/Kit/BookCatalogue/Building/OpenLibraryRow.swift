import Basics

/// A line of Open Library's dumps: type, key, revision, time and JSON.
///
/// Source: https://openlibrary.org/developers/dumps
struct OpenLibraryRow {
    private let type: String
    private let key: String
    private let json: UnsafeBufferPointer<UInt8>

    /// - Throws: ``RowFault`` for any number of columns other than five.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowFault) {
        var columns: [String] = []
        var start = 0
        while columns.count < 4, let end = bytes[start...].firstIndex(of: 0x09) {
            columns.append(String(decoding: bytes[start..<end], as: UTF8.self))
            start = end + 1
        }
        guard columns.count == 4 else { throw RowFault("\(columns.count + 1) columns; expected five, as in a dump") }
        (type, key) = (columns[0], columns[1])
        json = UnsafeBufferPointer(rebasing: bytes[start...])
    }

    func author() throws(RowFault) -> (key: String, name: String)? {
        guard type == "/type/author" else { return nil }
        let members = try JSONValue.row(json)
        return (members["name"]?.texts.first ?? members["personal_name"]?.texts.first).map { (key, $0) }
    }

    func book(
        _ assembler: BookAssembler,
        _ names: [String: String]
    ) throws(RowFault) -> BookAssembler.Assembled? {
        guard type == "/type/work" || type == "/type/edition" else { return nil }
        let members = try JSONValue.row(json)
        func texts(_ names: String...) -> [String] { names.flatMap { members[$0]?.texts ?? [] } }
        return try assembler.assemble { field in
            switch field {
            case .title: texts("title")
            case .subtitle: texts("subtitle")
            case .authors: authors(members, names)
            case .isbn: texts("isbn_13", "isbn_10")
            case .series: texts("series")
            case .publisher: texts("publishers")
            case .year: texts("publish_date", "first_publish_date")
            case .language: texts("languages").map { String($0.split(separator: "/").last ?? "") }
            case .cover:
                texts("covers").filter { !$0.hasPrefix("-") }.prefix(1)
                    .map { "https://covers.openlibrary.org/b/id/\($0)-M.jpg" }
            case .furtherAuthors, .seriesNumber, .popularity: []
            }
        }
    }

    /// Returns the names behind the keys; those missing from the lists are omitted.
    private func authors(_ members: [String: JSONValue], _ names: [String: String]) -> [String] {
        guard case .array(let items) = members["authors"] else { return [] }
        return items.compactMap { item in
            // A work has {"author": {"key": …}}, an edition {"key": …}.
            (item["author"]?["key"] ?? item["author"] ?? item["key"])?.texts.first.flatMap { names[$0] }
        }
    }
}

extension JSONValue {
    /// The texts in it: its own, those of a list's items, the name of an object; none of true, false and null.
    var texts: [String] {
        switch self {
        case .string(let text): text.isEmpty ? [] : [text.contains { $0.isNewline || $0 == "\t" } ? spaced(text) : text]
        case .array(let items): items.flatMap(\.texts)
        case .object(let members): ["name", "value", "title", "key"].lazy.compactMap { members[$0]?.texts }.first ?? []
        case .null, .bool, .number: []
        }
    }

    subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// Returns the object of a whole row; its numbers are texts.
    ///
    /// - Throws: ``RowFault`` when there is none.
    static func row(_ bytes: UnsafeBufferPointer<UInt8>) throws(RowFault) -> [String: JSONValue] {
        do {
            if case .object(let members) = try JSONParser.parse(bytes, mode: .tolerant) { return members }
        } catch {
            throw RowFault("not valid JSON: \(error)")
        }
        throw RowFault("not a JSON object")
    }

    private func spaced(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }
}
