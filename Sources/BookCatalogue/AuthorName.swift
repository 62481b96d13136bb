/// A name as lists and spines print it.
enum AuthorName {
    /// The folded surname: "tolkien" of "J.R.R. Tolkien", "TOLKIEN" and "Tolkien, J. R. R.".
    ///
    /// Empty when nothing of the name is left.
    static func surname(_ name: String) -> String {
        if let comma = name.firstIndex(of: ",") {
            let before = TextFolding.fold(String(name[..<comma]))
            // "Martin Luther King, Jr." is not turned round.
            let after = TextFolding.fold(String(name[name.index(after: comma)...]))
            if !before.isEmpty, !after.isEmpty, !suffixes.contains(Substring(after)) {
                return before.split(separator: " ").last.map(String.init) ?? before
            }
        }
        var words = TextFolding.fold(name).split(separator: " ")
        while words.count > 1, let last = words.last, suffixes.contains(last) { words.removeLast() }
        return words.last.map(String.init) ?? ""
    }

    private static let suffixes: Set<Substring> = ["jr", "sr", "ii", "iii", "iv", "phd", "md", "esq"]
}
