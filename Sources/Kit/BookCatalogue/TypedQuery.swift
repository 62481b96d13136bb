package import Basics

/// A text that a person typed to find books, in the forms that lists have for it.
///
/// As libraries file titles, numbers and abbreviations count as if they were spelled out (ALA Rules for Filing Catalog
/// Cards, 1968), and initials with and without spaces between. Forms are folded; all of them are searched for.
package struct TypedQuery: Sendable {
    /// The typed text and its other forms; empty without a letter or a digit.
    package let forms: [String]
    /// An ISBN in the text.
    package let isbn: ISBN?
    /// Words with marks that distinguish them, in lower case: "c++", "c#", ".net", "50%".
    let marked: [String]

    /// Maximum number of forms.
    private static let most = 16
    private static let abbreviations = ["st saint", "ste sainte", "dr doctor", "mr mister", "mt mount", "vs versus"]
        .map { $0.split(separator: " ").map(String.init) }

    package init(_ text: String) {
        let text = String(text.prefix(200))
        isbn = ISBN.all(in: text).first ?? ISBN(text)
        marked = text.lowercased().split(whereSeparator: \.isWhitespace).compactMap(Self.marked)
        let key = FoldedText.key(text)
        var forms = [key.split(separator: " ")]
        // Forms of a word count only where the whole text has few: a long one is found by its other words.
        for make in [Self.apart, Self.figures, Self.numerals, Self.abbreviated, Self.initials] {
            for form in forms {
                for other in make(form) where forms.count < Self.most && !forms.contains(other) { forms.append(other) }
            }
        }
        self.forms = key.isEmpty ? [] : forms.map { $0.joined(separator: " ") }
    }

    /// The typed text with one of its words parted in two: "leguin" may be "Le Guin".
    package var parted: [String] {
        let words = (forms.first ?? "").split(separator: " ")
        return words.indices.filter { words[$0].count >= 5 }.flatMap { place in
            (1..<words[place].count).map { count in
                let parts = "\(words[place].prefix(count)) \(words[place].dropFirst(count))"
                return Self.replacing(words, place..<place + 1, by: [parts])[0].joined(separator: " ")
            }
        }
    }

    private typealias Words = [Substring]

    private static func replacing(_ words: Words, _ place: Range<Int>, by texts: [String]) -> [Words] {
        texts.map { words[..<place.lowerBound] + $0.split(separator: " ") + words[place.upperBound...] }
    }

    /// "catch22" as "catch 22".
    private static func apart(_ words: Words) -> [Words] {
        let text = words.joined(separator: " ")
        let apart = spaced(text)
        return apart == text ? [] : [apart.split(separator: " ")]
    }

    /// A folded text with a space between letters and digits.
    package static func spaced(_ text: String) -> String {
        var last: Character = " "
        return text.reduce(into: "") { spaced, letter in
            if last != " ", letter != " ", last.isNumber != letter.isNumber { spaced.append(" ") }
            spaced.append(letter)
            last = letter
        }
    }

    /// "nineteen eighty four" as "1984".
    private static func figures(_ words: Words) -> [Words] {
        for start in words.indices {
            for end in (start + 1...words.count).reversed() {
                guard let number = NumberWords.number(words[start..<end]), number >= 10 else { continue }
                return replacing(words, start..<end, by: ["\(number)"])
            }
        }
        return []
    }

    /// "1984" as "nineteen eighty four", and as "one thousand nine hundred and eighty four".
    private static func numerals(_ words: Words) -> [Words] {
        words.indices.flatMap { place in
            replacing(words, place..<place + 1, by: Int(words[place]).map(NumberWords.forms) ?? [])
        }
    }

    /// The forms of a text that is nothing but a number of three or four digits: "1984" is also "nineteen eighty four".
    static func numberForms(of text: String) -> [String] {
        let words = FoldedText.key(text).split(separator: " ")
        guard let number = words.count == 1 ? Int(words[0]) : NumberWords.number(words[...]),
            (100...9_999).contains(number)
        else { return [] }
        return words.count == 1 ? NumberWords.forms(number) : ["\(number)"]
    }

    private static func abbreviated(_ words: Words) -> [Words] {
        words.indices.flatMap { place in
            let pairs = abbreviations.filter { $0.contains(String(words[place])) }.flatMap(\.self)
            return replacing(words, place..<place + 1, by: pairs.filter { $0 != words[place] })
        }
    }

    /// "jrr tolkien" as "j r r tolkien", and the reverse.
    private static func initials(_ words: Words) -> [Words] {
        guard words.contains(where: { $0.count > 2 }) else { return [] }
        var found: [Words] = []
        var start = words.startIndex
        for place in words.indices {
            if words[place].count != 1 || words[place].first?.isNumber != false { start = place + 1 }
            let isLast = place + 1 == words.count || words[place + 1].count != 1
            if isLast, place - start > 0 {
                found += replacing(words, start..<place + 1, by: [words[start...place].joined()])
            }
            let word = words[place]
            guard (2...3).contains(word.count), word.allSatisfy(\.isLetter),
                !Letters(word.utf8).isSmallWord
            else { continue }
            found += replacing(words, place..<place + 1, by: [word.map(String.init).joined(separator: " ")])
        }
        return found
    }

    /// A word without the punctuation around it, if what is left has marks that are part of it.
    private static func marked(_ word: Substring) -> String? {
        func isMark(_ letter: Character) -> Bool {
            letter.isMathSymbol || letter.isCurrencySymbol || "#%@*".contains(letter)
        }
        var word = word
        while let first = word.first, !first.isLetter, !first.isNumber, !isMark(first) {
            if first == ".", word.dropFirst().first?.isLetter == true { break }
            word.removeFirst()
        }
        while let last = word.last, !last.isLetter, !last.isNumber, !isMark(last) { word.removeLast() }
        guard word.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
        return word.first == "." || word.contains(where: isMark) ? String(word) : nil
    }

    /// Whether a title or a name has all marked words.
    func isMarked(_ book: BookRecord) -> Bool {
        let texts = ([book.title] + book.authors).map { $0.lowercased() }
        return marked.allSatisfy { word in
            texts.contains { text in
                text.ranges(of: word).contains { place in
                    func isOther(_ near: Character?, _ end: Character?) -> Bool {
                        guard let near, let end else { return false }
                        return end.isLetter || end.isNumber ? near.isLetter || near.isNumber : near == end
                    }
                    return !isOther(text[..<place.lowerBound].last, word.first)
                        && !isOther(text[place.upperBound...].first, word.last)
                }
            }
        }
    }
}

/// Whole numbers in English words, as titles have them.
enum NumberWords {
    private static let small: [Substring] = """
        zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
        eighteen nineteen
        """.split(separator: " ")
    private static let tens: [Substring] = "- ten twenty thirty forty fifty sixty seventy eighty ninety".split(
        separator: " "
    )

    /// The words of 10 to 999,999, with and without "and", and as years and numbers of rooms are spoken; empty for other numbers.
    static func forms(_ number: Int) -> [String] {
        guard (10..<1_000_000).contains(number) else { return [] }
        let (pair, rest) = number.quotientAndRemainder(dividingBy: 100)
        var forms = [words(number, and: ""), words(number, and: "and ")]
        if pair > 0, pair < 10 || pair < 100 && pair % 10 > 0 {
            forms.append("\(words(pair)) \(rest == 0 ? "hundred" : rest < 10 ? "oh \(small[rest])" : words(rest))")
        }
        return forms.enumerated().filter { forms.firstIndex(of: $1) == $0 }.map(\.element)
    }

    private static func words(_ number: Int, and: String = "") -> String {
        if number < 20 { return String(small[number]) }
        let size = number < 100 ? 10 : number < 1_000 ? 100 : 1_000
        let (many, rest) = number.quotientAndRemainder(dividingBy: size)
        if size == 10 { return rest == 0 ? String(tens[many]) : "\(tens[many]) \(small[rest])" }
        let head = "\(words(many, and: and)) \(size == 100 ? "hundred" : "thousand")"
        return rest == 0 ? head : "\(head) \(rest < 100 ? and : "")\(words(rest, and: and))"
    }

    /// The number that folded words are; nil when they are none.
    static func number(_ words: ArraySlice<Substring>) -> Int? {
        var (total, current) = (0, Int?.none)
        for (place, word) in words.enumerated() {
            if let value = small.firstIndex(of: word) ?? tens.firstIndex(of: word).map({ 10 * $0 }) {
                guard let known = current else {
                    current = value
                    continue
                }
                if known % 100 == 0 || known % 10 == 0 && known % 100 >= 20 && value < 10 {
                    current = known + value
                } else if (1...99).contains(known), value >= 10 {
                    current = 100 * known + value
                } else {
                    return nil
                }
            } else if word == "hundred", let known = current, (1...99).contains(known) {
                current = 100 * known
            } else if word == "thousand", total == 0, let known = current, known > 0 {
                (total, current) = (1_000 * known, 0)
            } else if word != "and" || current.map({ $0 % 100 != 0 }) ?? true || place + 1 == words.count {
                return nil
            }
        }
        return current.map { total + $0 }
    }
}

/// Correction of a name that was typed with errors.
package enum TypedName {
    /// Number of wrong letters that a word of a length may have: one from four letters on (from three if another word is right),
    /// two from six.
    private static func allowed(_ length: Int, isKnown: Bool) -> Int {
        length < (isKnown ? 3 : 4) ? 0 : length < 6 ? 1 : 2
    }

    /// Returns the number of wrong letters; two letters in each other's place are one.
    private static func errors(_ typed: String, _ word: String) -> Int {
        let distance = Levenshtein.distance(typed, word)
        return distance == 2 && typed.sorted() == word.sorted() ? 1 : distance
    }

    /// Returns a folded name with the words of a book's title and authors in the place of those that are nearest to them; nil where
    /// a word is like none, or nothing is to be corrected.
    package static func correct(_ name: String, by book: BookRecord) -> String? {
        let known = Set(([book.title] + book.authors).flatMap(FoldedText.words)).sorted()
        let words = name.split(separator: " ").map(String.init)
        let isKnown = words.contains { $0.count > 3 && known.contains($0) }
        let corrected = words.compactMap { word -> String? in
            let distances = known.map { (word: $0, distance: errors(word, $0)) }
            return distances.filter { $0.distance <= allowed(min(word.count, $0.word.count), isKnown: isKnown) }
                .min { $0.distance < $1.distance }?.word
        }
        return corrected.count == words.count && corrected != words ? corrected.joined(separator: " ") : nil
    }

    /// Returns the name with its errors corrected by the first of some books that explains all its words; nil for none.
    package static func corrected(_ name: String, by candidates: [BookMatch]) -> String? {
        candidates.lazy.compactMap { correct(FoldedText.key(name), by: $0.book) }.first
    }
}
