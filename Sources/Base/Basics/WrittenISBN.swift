/// ISBN as lists of books, exports of apps and spreadsheets write it.
package enum WrittenISBN: Sendable, Equatable {
    case isbn(ISBN)
    /// No stated ISBN: the field is empty, declares the absence of one, or has the identifier of another scheme.
    case none
    /// An invalid ISBN.
    case wrong

    /// Names of columns that hold ISBNs, the best first; letters and digits in lower case.
    package static let columnNames = [
        "isbn13", "isbn", "isbn10", "ean", "ean13", "eanisbn13", "upcisbn10", "isbns", "bookisbn", "identifiers",
    ]

    /// Returns whether a column of this name holds ISBNs: one of ``columnNames``, or any other name with "isbn" in
    /// it.
    package static func isColumn(_ name: String) -> Bool { name.contains("isbn") || columnNames.contains(name) }

    /// Reads the number in a row's fields: the first that is right.
    package init(_ fields: [String]) {
        self = .none
        for field in fields {
            let written = WrittenISBN(field)
            if case .isbn = written {
                self = written
                return
            }
            if written == .wrong { self = .wrong }
        }
    }

    /// Reads the number in a field such as `="9780306406157"`, "[0306406152]", "urn:isbn:0-306-40615-2", "0306406152
    /// (pbk.)" or "goodreads:234225,isbn:9780306406157".
    package init(_ text: String) {
        let plain = ISBN.plain(text)
        // "0000000000" has a right check digit, and means the absence of one.
        let digits = plain.filter(\.isNumber)
        if digits.count > 1, Set(digits).count == 1 {
            self = .none
            return
        }
        if let isbn = ISBN(text) {
            self = .isbn(isbn)
            return
        }
        let core = plain.trimming { !$0.isLetter && !$0.isNumber }
        if let isbn = Self.number(core) {
            self = .isbn(isbn)
            return
        }
        let runs = Self.runs(of: plain)
        if let isbn = runs.lazy.compactMap(\.isbn).first {
            self = .isbn(isbn)
        } else {
            self = runs.contains(where: \.isMeantAsISBN) ? .wrong : .none
        }
    }

    package var isbn: ISBN? { if case .isbn(let isbn) = self { isbn } else { nil } }

    /// Returns the ISBN of a whole field, after a spreadsheet has taken it for a number.
    private static func number(_ text: Substring) -> ISBN? {
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        if parts.count == 2, let exponent = Int(parts[1]) { return scientific(parts[0], exponent) }
        let whole = text.withoutDecimals
        if let isbn = leadingZeros(String(whole)) ?? ISBN(String(whole)) { return isbn }
        // "9,780,306,406,157"
        let digits = whole.filter { !",.'".contains($0) }
        return digits.utf8.count == 13 ? ISBN(digits) : nil
    }

    /// Restores leading zeros, which spreadsheets drop first.
    private static func leadingZeros(_ digits: String) -> ISBN? {
        guard (7...9).contains(digits.utf8.count), digits.utf8.dropLast().allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        return ISBN(String(repeating: "0", count: 10 - digits.utf8.count) + digits)
    }

    /// Returns the number that is rounded to "9.78043902348e+12"; nil for two such numbers, or none.
    ///
    /// Twelve of the thirteen digits are required. The last one is the check digit, so only two numbers round to the
    /// twelve: those whose first twelve digits are these and whose check digit rounds down, or one less and a check
    /// digit that rounds up. Each further missing digit multiplies the candidates by ten, and any of them may be
    /// right.
    private static func scientific(_ mantissa: Substring, _ exponent: Int) -> ISBN? {
        let parts = mantissa.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        let digits = parts.joined()
        guard parts[0].count == 1, parts.count <= 2, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        if digits.utf8.count == exponent + 1 { return leadingZeros(digits) ?? ISBN(digits) }
        guard exponent == 12, digits.utf8.count == 12, let rounded = Int(digits) else { return nil }
        let down = (0...5).compactMap { ISBN("\(rounded)\($0)") }
        let up = (5...9).compactMap { ISBN("\(rounded - 1)\($0)") }
        return down.count + up.count == 1 ? (down + up).first : nil
    }

    /// Returns the words of a field in runs separated by spaces alone, each with its stated scheme.
    private static func runs(of text: String) -> [Run] {
        var runs = [Run()]
        var word = ""
        func endWord() {
            if !word.isEmpty { runs[runs.count - 1].words.append(word) }
            word = ""
        }
        for character in text {
            switch character {
            case " ": endWord()
            case ":" where word.contains(where: \.isLetter):
                let scheme = FoldedText(word).joined
                word = ""
                runs.append(Run(scheme: scheme))
            case _ where character.isLetter || character.isNumber || "-.".contains(character): word.append(character)
            default:
                endWord()
                // Text after a slash in an address is still part of it.
                runs.append(Run(scheme: character == "/" ? runs[runs.count - 1].scheme : nil))
            }
        }
        endWord()
        return runs
    }
}

/// Words of a field that belong together.
private struct Run {
    /// "isbn" of "isbn:0306406152"; nil without one.
    var scheme: String?
    var words: [String] = []

    /// Whether the scheme is ISBN or missing.
    private var isOfISBN: Bool {
        guard let scheme else { return true }
        return scheme.contains("isbn") || ["urn", "ean", "ean13", "gtin", "gtin13"].contains(scheme)
    }

    /// The first ISBN of one word or several; of another scheme only one of thirteen digits, which none has by chance.
    var isbn: ISBN? {
        let words = words.map(Self.number)
        var short: ISBN?
        for start in words.indices {
            var joined = ""
            for word in words[start...].prefix(Self.mostParts) {
                joined += word
                guard let isbn = ISBN(joined) else { continue }
                if joined.utf8.count(where: { 0x30...0x39 ~= $0 }) == 13 { return isbn }
                short = short ?? isbn
            }
        }
        return isOfISBN ? short : nil
    }

    /// Whether it contains a number that no other scheme has.
    var isMeantAsISBN: Bool {
        isOfISBN
            && words.contains { word in
                let digits = word.utf8.count { 0x30...0x39 ~= $0 }
                let letters = word.count(where: \.isLetter)
                // "9.78E12" is one, too.
                let isNumber =
                    letters == 0 || (letters == 1 && word.last?.uppercased() == "X") || digits >= 9
                    || Double(word) != nil
                return isNumber && word.contains { $0.isNumber && $0 != "0" } && !Self.isUUID(word)
                    && !Self.isASIN(word)
            }
    }

    /// Prefix, group, registrant, publication and check digit.
    private static let mostParts = 5

    /// Returns a word without "ISBN" or "ISBN-13" before it, and without dots.
    private static func number(_ word: String) -> String {
        var rest = word[...].withoutDecimals
        if rest.lowercased().hasPrefix("isbn") {
            rest = rest.dropFirst(4).drop { $0 == "-" }
            // "ISBN13" and "ISBN10" are followed by a number, or by nothing.
            if ["10", "13"].contains(String(rest.prefix(2))), ISBN(String(rest)) == nil { rest = rest.dropFirst(2) }
        }
        return rest.filter { $0 != "." }
    }

    /// Returns whether a word is a UUID, as StoryGraph names editions without an ISBN (RFC 9562, section 4).
    private static func isUUID(_ word: String) -> Bool {
        word.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12] && word.allSatisfy { $0.isHexDigit || $0 == "-" }
    }

    /// Returns whether a word is one of Amazon's numbers and not an ISBN.
    private static func isASIN(_ word: String) -> Bool { word.count == 10 && word.uppercased().hasPrefix("B") }
}

extension Substring {
    /// The text without ".0" or ",00" at its end.
    fileprivate var withoutDecimals: Substring {
        let whole = prefix { $0.isNumber }
        let rest = dropFirst(whole.count)
        return rest.count > 1 && ",.".contains(rest.prefix(1)) && rest.dropFirst().allSatisfy({ $0 == "0" })
            ? whole : self
    }
}

extension String {
    /// Returns the text without the characters at its ends that `isOutside` holds for.
    fileprivate func trimming(_ isOutside: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, isOutside(last) { rest.removeLast() }
        return rest.drop(while: isOutside)
    }
}
