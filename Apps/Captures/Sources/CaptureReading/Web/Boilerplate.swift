import Basics

/// Elements around the text of a page, recognised by their kind, their role and the words of their class and id.
enum Boilerplate {
    /// Names of `boilerplate.txt`, whose lines begin with their kind: `element`s that never hold text of the page, `role`s,
    /// whole `word`s of names (in English, German, Spanish and French), their `beginning`s, and words of `credit`s for the
    /// author and time of a text, which is something else if it has more than a few lines.
    ///
    /// The head is no such element: libxml2 2.9 takes an article for a part of it where a page leaves out `<body>`.
    private static let lists: [Substring: Set<String>] = {
        let lines = String(decoding: PackageResources.boilerplate_txt, as: UTF8.self).split(separator: "\n")
        let lists = lines.map { $0.split(separator: " ") }
        return Dictionary(lists.map { ($0[0], Set($0.dropFirst().map(String.init))) }) { first, _ in first }
    }()
    private static let skipped = lists["element"] ?? []
    private static let roles = lists["role"] ?? []
    private static let words = lists["word"] ?? []
    private static let beginnings = lists["beginning"] ?? []
    private static let credits = lists["credit"] ?? []
    /// Characters of the longest note on who wrote a text.
    private static let mostCredits = 240
    /// Maximum number of characters of a form; some pages are a form as a whole.
    private static let mostForm = 600

    /// Returns whether an element is omitted with all of its contents; `byName` lets the words of its class and id
    /// count.
    static func contains(_ node: HTMLNode, byName: Bool) -> Bool {
        if skipped.contains(node.name) { return true }
        if node.attributes["hidden"] != nil || node.attributes["aria-hidden"]?.lowercased() == "true" { return true }
        if let style = node.attributes["style"]?.lowercased().filter({ !$0.isWhitespace }),
            style.contains("display:none") || style.contains("visibility:hidden")
        {
            return true
        }
        if let role = node.attributes["role"]?.lowercased(), roles.contains(role) { return true }
        if node.name == "form" { return textLength(of: node, upTo: mostForm) <= mostForm }
        guard byName, !["body", "html", "article", "main", "h1"].contains(node.name) else { return false }
        let names = names(of: node)
        if names.contains(where: isAround) { return !holdsArticle(node) }
        if node.attributes["rel"] == "author" || names.contains(where: { $0.contains(where: credits.contains) }) {
            return textLength(of: node, upTo: mostCredits) <= mostCredits
        }
        return false
    }

    /// Returns whether an element is marked as the main text.
    static func isMain(_ node: HTMLNode) -> Bool {
        node.name == "article" || node.name == "main" || node.attributes["role"]?.lowercased() == "main"
            || node.attributes["itemprop"]?.lowercased() == "articlebody"
    }

    /// Class names and id, each as its words: "post-sidebarTop" has three.
    static func names(of node: HTMLNode) -> [[String]] {
        [node.attributes["class"], node.attributes["id"]].compactMap { $0?.prefix(300) }
            .flatMap { $0.split(whereSeparator: \.isWhitespace) }.map { words(of: $0) }
    }

    private static func words(of name: Substring) -> [String] {
        var words: [String] = []
        var wasLower = false
        for character in name {
            guard character.isLetter else {
                wasLower = false
                if words.last?.isEmpty == false { words.append("") }
                continue
            }
            if words.isEmpty || (wasLower && character.isUppercase) { words.append("") }
            words[words.count - 1] += character.lowercased()
            wasLower = character.isLowercase
        }
        if words.last?.isEmpty == true { words.removeLast() }
        return words
    }

    private static func isAround(_ name: [String]) -> Bool {
        // "with-sidebar" and "no-comments" name elements beside it, or absent ones.
        if name.contains(where: { ["with", "has", "no", "without"].contains($0) }) { return false }
        return name.contains { word in words.contains(word) || beginnings.contains { word.hasPrefix($0) } }
    }

    private static func holdsArticle(_ node: HTMLNode) -> Bool {
        var stack = node.children
        var count = 0
        while let next = stack.popLast(), count < 5_000 {
            if isMain(next) || next.name == "h1" { return true }
            stack.append(contentsOf: next.children)
            count += 1
        }
        return false
    }

    /// Returns the number of characters of text in a node, without skipped elements; counting stops above `most`.
    private static func textLength(of node: HTMLNode, upTo most: Int) -> Int {
        var stack = node.children
        var (length, count) = (0, 0)
        while let next = stack.popLast(), length <= most {
            // A node of very many parts is not a short note.
            count += 1
            if count > 500 { return most + 1 }
            if skipped.contains(next.name) || next.name == "option" { continue }
            length += SafeText.collapsed(next.text).count
            stack.append(contentsOf: next.children)
        }
        return length
    }
}
