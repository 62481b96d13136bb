/// Pages that replace the requested one: a challenge, a question for consent, an error.
package enum Interstitial {
    /// Bytes of the longest text of such a page; a longer one with such a phrase describes them.
    static let mostBytes = 4_000

    /// Returns whether a page is one, by its title and its readable text.
    package static func isOne(title: String?, text: String?) -> Bool {
        let (title, text) = (folded(title ?? ""), text ?? "")
        guard text.utf8.count <= mostBytes, title.utf8.count <= mostBytes else { return false }
        let page = folded(text)
        return phrases.contains { title.contains($0) || page.contains($0) }
    }

    /// Returns whether a title is that of such a page: a phrase of theirs begins it, or is half of it.
    package static func isTitle(_ title: String) -> Bool {
        guard title.utf8.count <= mostBytes else { return false }
        let title = folded(title)
        return phrases.contains { phrase in
            title.hasPrefix(phrase) || title.utf8.count <= 2 * phrase.utf8.count && title.contains(phrase)
        }
    }

    private static func folded(_ text: String) -> String { text.lowercased().replacing("’", with: "'") }

    /// Phrases of such pages, in small letters: `interstitials.txt` has one a line, by language.
    private static let phrases = String(decoding: PackageResources.interstitials_txt, as: UTF8.self)
        .split(separator: "\n").filter { !$0.hasPrefix("# ") }.map(String.init)
}
