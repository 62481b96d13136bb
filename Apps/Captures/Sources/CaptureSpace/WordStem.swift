import Basics

/// Stems of English words, so that a word meets its inflected forms: "volcano" and "volcanoes", "roast" and "roasting".
///
/// A short form of Porter's algorithm: its steps 1a and 1b, and -ies, -oes and -e. Two words with one stem may differ
/// in meaning; a word of three letters is its own stem.
///
/// Source: M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), 130–137.
package enum WordStem {
    /// Returns the stems of a text's words with a space around each, for ``contains(_:in:)``.
    package static func key(_ text: String) -> String {
        " \(FoldedText.words(of: text).map(stem).joined(separator: " ")) "
    }

    /// Returns whether a name's stems stand together in a text's ``key(_:)``.
    package static func contains(_ name: String, in key: String) -> Bool {
        let name = self.key(name)
        return name.count > 2 && key.contains(name)
    }

    /// Returns the stems of a text's words, each once.
    package static func words(of text: String) -> Set<String> { Set(FoldedText.words(of: text).map(stem)) }

    /// Returns the stem of a folded word.
    package static func stem(_ word: String) -> String {
        var stem = word
        func ends(_ ending: String) -> Bool { stem.count - ending.count > 1 && stem.hasSuffix(ending) }
        guard word.count > 3, word.allSatisfy(\.isASCII) else { return word }
        if ends("sses") || ends("shes") || ends("ches") || ends("xes") || ends("zes") || ends("oes") {
            stem.removeLast(2)
        } else if ends("ies") {
            stem.removeLast(3)
            stem += "y"
        } else if ends("s"), !ends("ss"), !ends("us"), !ends("is") {
            stem.removeLast()
        }
        for ending in ["ing", "ed"] where ends(ending) {
            let rest = stem.dropLast(ending.count)
            // "string", "need": nothing of them is a word.
            guard rest.count > 2, rest.contains(where: { "aeiouy".contains($0) }) else { break }
            if ending == "ed", rest.hasSuffix("e") { break }
            stem = String(rest)
            if let last = stem.last, stem.dropLast().last == last, !"lsz".contains(last) { stem.removeLast() }
            break
        }
        if stem.count > 3, stem.hasSuffix("e") { stem.removeLast() }
        if stem.count > 3, stem.hasSuffix("y") { stem.replaceSubrange(stem.index(before: stem.endIndex)..., with: "i") }
        return stem
    }
}
