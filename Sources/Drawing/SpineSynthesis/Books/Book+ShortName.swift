extension Book {
    /// Words that stay with the surname after them, in small letters.
    private static let particles: Set<String> = [
        "af", "av", "da", "das", "de", "degli", "dei", "del", "della", "den", "der", "des", "di", "do", "dos", "du",
        "la", "las", "le", "los", "ten", "ter", "van", "vom", "von", "zu", "zum", "zur",
    ]

    /// Short name of an author, as a spine most likely has it: the last word, with the particles before it.
    ///
    /// "Ursula K. Le Guin" gives "Le Guin", "Terry Pratchett & Neil Gaiman" gives "Pratchett & Gaiman". It knows nothing of
    /// surnames of two words, or of what stands after a name.
    static func shortName(of author: String) -> String {
        let parts = author.split(separator: " & ")
        // Without an ampersand, what follows a comma is no other person: "Walter M. Miller, Jr.".
        guard parts.count > 1 else { return shortName(ofPerson: author) }
        return parts.map { $0.split(separator: ", ").map(shortName(ofPerson:)).joined(separator: ", ") }
            .joined(separator: " & ")
    }

    private static func shortName(ofPerson name: some StringProtocol) -> String {
        let words = name.split(separator: " ")
        var start = max(0, words.count - 1)
        // The first word is a given name, whatever it looks like: "Van Morrison".
        while start > 1, particles.contains(words[start - 1].lowercased()) { start -= 1 }
        return words[start...].joined(separator: " ")
    }
}
