import Basics

/// Numbers of volumes, parts and sequels in a text, in whichever form they are printed: 2, II, two, second, zweiter,
/// 2nd.
struct VolumeNumbers {
    /// A number with its place among the words.
    struct Number: Equatable {
        /// Values that it may have: a reader takes "II" for "11".
        var values: [Int]
        var place: Int
        /// Whether a word such as "volume" is beside it.
        var isNamed: Bool
        /// Whether it is alone on its line.
        var isAlone: Bool
    }

    private(set) var numbers: [Number] = []

    /// Finds the numbers among folded words, except those of editions, anniversaries, years and sales.
    init(_ words: [Letters], beginsLine: [Bool]) {
        for (place, word) in words.enumerated() {
            if let number = Self.composite(word) {
                numbers.append(Number(values: number.values, place: place, isNamed: number.isNamed, isAlone: false))
                continue
            }
            let endsLine = place + 1 == words.count || beginsLine[place + 1]
            guard let form = Self.form(of: word) ?? Self.letter(word, endsLine: endsLine) else { continue }
            func near(_ offset: Int) -> Letters {
                words.indices.contains(place + offset) ? words[place + offset] : []
            }
            let isCounted = (!endsLine || form.isOrdinal) && near(1).isAny(of: .otherThing)
            if isCounted || !endsLine && near(1).isWord("in") && Self.form(of: near(2)) != nil { continue }
            let isSmall = form.values.contains { (1...Form.greatestUnnamed).contains($0) } && word.first != 0x30
            let isNamed =
                (isSmall || near(-1).count > 1) && Self.isDesignator(near(-1), of: form)
                || near(-1).isWord("the") && form.isOrdinal && Self.isDesignator(near(-2), of: form)
                || form.mayPrecede && isSmall && near(1).isAny(of: .designator) && Self.form(of: near(2)) == nil
            if !isNamed, form.needsName || !isSmall { continue }
            numbers.append(
                Number(values: form.values, place: place, isNamed: isNamed, isAlone: beginsLine[place] && endsLine)
            )
        }
    }

    /// Form of a word that is a number.
    private struct Form {
        var values: [Int]
        var isOrdinal = false
        /// Whether it is written in figures, Roman ones included.
        var isFigure = true
        /// Whether it is a number only beside a word such as "volume".
        var needsName = false
        /// Whether a word such as "volume" may follow it.
        var mayPrecede: Bool { isOrdinal || isFigure && !needsName }
        /// Maximum number of a volume without a word that marks it: larger ones are of labels and prices.
        static let greatestUnnamed = 40
    }

    /// Returns the numbers that a word alone may be; none for one that is a number only beside a word such as
    /// "volume".
    static func values(of word: Letters) -> [Int] {
        form(of: word).map { $0.needsName ? [] : $0.values } ?? composite(word)?.values ?? []
    }

    private static func form(of word: Letters) -> Form? {
        let digits = word.prefix(while: isFigure)
        let rest = word.dropFirst(digits.count)
        if rest.isEmpty { return digits.count <= 3 ? figures(digits).map { Form(values: $0) } : nil }
        if digits.count <= 2, rest.isAny(of: .ordinalEnding), let values = figures(digits) {
            // "3E" alone is of a label mostly.
            return Form(values: values, isOrdinal: true, needsName: true)
        }
        if let known = numberWords[String(decoding: word, as: UTF8.self)] { return known }
        // A reader takes the letter l for the Roman one.
        let upright = word.map { "l1".utf8.contains($0) ? UInt8(ascii: "i") : $0 }
        return romans[upright[...]].map { Form(values: [$0], needsName: word.count == 1) }
    }

    static func isFigure(_ letter: UInt8) -> Bool { (0x30...0x39).contains(letter) }

    /// Returns the number of a volume that a letter has; "A", "D" and "E" are words elsewhere than at a line's end.
    private static func letter(_ word: Letters, endsLine: Bool) -> Form? {
        guard word.count == 1, let letter = word.first, let value = letters.firstIndex(of: letter) else { return nil }
        return endsLine || !"ade".utf8.contains(letter)
            ? Form(values: [value + 1], isFigure: false, needsName: true) : nil
    }
    private static let letters = Array("abcdefgh".utf8)

    /// Returns the numbers of a word of Chinese, Japanese or Korean, in which the title may be too: 下, 第2巻, 巻二,
    /// 三体2.
    private static func eastAsian(_ word: Letters) -> (values: [Int], isNamed: Bool)? {
        guard word.contains(where: { (0xE3...0xED).contains($0) }) else { return nil }
        var text = Array(String(decoding: word, as: UTF8.self))
        let hasCounter = text.count > 1 && "巻卷册冊集部編编권편부집".contains(text[text.count - 1])
        if hasCounter { text.removeLast() }
        // Of three volumes 下 is the third, of two the second: it is neither.
        if let last = text.last, let part = ["上상", "中중", "下하"].firstIndex(where: { $0.contains(last) }) {
            guard hasCounter || text.count == 1 || text.count > 3 else { return nil }
            return (part == 0 ? [1, 1_001] : [1_001 + part], true)
        }
        func isDigit(_ sign: Character) -> Bool {
            sign.isASCII ? sign.isNumber || "ivx".contains(sign) : sign == "十" || hanDigits.contains(sign)
        }
        let digits = Array(text.reversed().prefix(while: isDigit).reversed())
        let before = text.dropLast(digits.count).last
        let isNamed = hasCounter || before.map { "第제卷巻其之".contains($0) } == true
        let isPlain = digits.allSatisfy(\.isASCII)
        guard !digits.isEmpty, isNamed || isPlain || digits.count == text.count else { return nil }
        let value = isPlain ? Int(String(digits)) ?? romans[Letters(String(digits).utf8)] : han(digits)
        return value.flatMap { (1...999).contains($0) ? ([$0], isNamed || isPlain) : nil }
    }

    private static let hanDigits = Array("〇一二三四五六七八九")

    /// Returns the value of a number such as 二十三.
    private static func han(_ digits: [Character]) -> Int? {
        let parts = digits.split(separator: "十", omittingEmptySubsequences: false)
        func value(_ part: ArraySlice<Character>, _ empty: Int) -> Int? {
            if part.isEmpty { return empty }
            return part.count == 1 ? hanDigits.firstIndex(of: part[part.startIndex]) : nil
        }
        if parts.count == 1 { return value(parts[0], 0) }
        guard parts.count == 2, let tens = value(parts[0], 1), let units = value(parts[1], 0) else { return nil }
        return tens * 10 + units
    }

    /// Returns the words that are years of editions: 1900 to 2099.
    static func years(_ words: [Letters]) -> Set<Int> {
        let numbers = words.filter { $0.count == 4 }.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        return Set(numbers.filter((1_900...2_099).contains))
    }

    private static func figures(_ digits: Letters) -> [Int]? {
        Int(String(decoding: digits, as: UTF8.self)).map { value in
            digits.count > 1 && digits.allSatisfy { $0 == UInt8(ascii: "1") } ? [value, digits.count] : [value]
        }
    }

    /// Roman numbers up to 39 in their canonical spelling: larger ones are words more often than numbers.
    private static let romans = {
        let units = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
        let numbers = ["", "x", "xx", "xxx"].flatMap { tens in units.map { tens + $0 } }
        return Dictionary(uniqueKeysWithValues: numbers.enumerated().dropFirst().map { (Letters($1.utf8), $0) })
    }()

    /// Returns the numbers of a word that has more in it: "vol2", "bd3", "t3", 第2巻.
    private static func composite(_ word: Letters) -> (values: [Int], isNamed: Bool)? {
        let letters = word.prefix { $0 > UInt8(ascii: "9") }
        let digits = word.dropFirst(letters.count)
        guard !letters.isEmpty, (1...3).contains(digits.count), digits.allSatisfy(isFigure),
            letters.isAny(of: .designator) || letters.isWord("t"), let values = figures(digits), values[0] > 0
        else { return eastAsian(word) }
        return (values, true)
    }

    private static func isDesignator(_ word: Letters, of form: Form) -> Bool {
        // Elsewhere than before a number "Tom" is a name.
        word.isAny(of: .designator) || word.isWord("tom") || form.isFigure && word.isAny(of: .figureDesignator)
    }

    private static let numberWords = {
        var forms: [String: Form] = [:]
        for kind in [WordKind.cardinal, .plainCardinal, .ordinal] {
            for (index, names) in kind.lists.flatMap({ $0.enumerated() }) {
                for name in names.split(separator: "/") where name != "-" {
                    forms[String(name)] = Form(
                        values: [index + 1],
                        isOrdinal: kind == .ordinal,
                        isFigure: false,
                        needsName: kind != .plainCardinal
                    )
                }
            }
        }
        return forms
    }()
}

extension VolumeNumbers {
    /// Minimum confidence of a figure: marks other than letters are read as figures of low confidence.
    private static let sureConfidence = 0.9

    /// Returns whether the numbers of a spine are those of another volume than the book's.
    ///
    /// A number that a word such as "volume" names, or that is next to the title, has to be one of the book's. A book
    /// without any number counts as the first of its work; one that belongs to a series under another title has a
    /// number there that its record lacks, and contradicts nothing. `title`: the part of the query's text that is the
    /// book's title.
    static func contradict(_ book: IndexedBook, _ query: MatchQuery, title: Range<Int>) -> Bool {
        // Another year's guide: of two years, as "2019–2020", both have to differ from none of the book's.
        let years = VolumeNumbers.years(book.words.filter { [.title, .subtitle].contains($0.field) }.map(\.letters))
        if !years.isEmpty, !query.years.isEmpty, !query.years.isSuperset(of: years), !years.isSuperset(of: query.years)
        {
            return true
        }
        let relevant = query.numbers.filter { number in
            let word = query.words[number.place]
            // The title "Algebra I" is a part of "Algebra II".
            let isLonger = word.range.overlaps(title) && word.range.upperBound > title.upperBound
            guard !word.range.overlaps(title) || number.isNamed || isLonger else { return false }
            if number.isNamed { return true }
            let follows = (isLonger || word.range.lowerBound == title.upperBound) && word.endsLine
            let precedes = number.isAlone && !query.hasLoneLetters && word.range.upperBound == title.lowerBound
            return (follows || precedes) && word.confidence >= sureConfidence
        }
        if relevant.isEmpty { return false }
        let own = book.volumeNumbers
        return relevant.contains { number in
            if number.isNamed, !own.named.isEmpty { return own.named.isDisjoint(with: number.values) }
            if !own.all.isDisjoint(with: number.values) { return false }
            // Logos are read as "10" and "16".
            if !number.isNamed, number.isAlone, !own.hasVolume, number.values.allSatisfy({ $0 >= 10 }) { return false }
            let shape = query.words[number.place].shape
            let isPart = { (own: Int) in own > 9 && OpticalShape.of(String(own).utf8).isCut(to: shape) }
            // "Catch-2" is Catch-22, cut off.
            if !number.isNamed, own.named.isEmpty, own.all.contains(where: isPart) { return false }
            if number.values.contains(1) { return !own.named.isEmpty }
            return own.hasVolume || !own.isHidden
        }
    }
}

extension IndexedBook {
    /// Whether the name of its series begins with its title: "The Hunger Games".
    var isNameOfSeries: Bool {
        func name(_ field: Field) -> [Letters] {
            words.filter { $0.field == field }.map(\.letters).filter { !$0.isWord("the") }
        }
        let title = name(.title)
        return !title.isEmpty && name(.series).starts(with: title)
    }

    /// Numbers of a record: those that a word such as "volume" names, and all; whether it has a volume's number at
    /// all; and whether its series has one that the record lacks.
    var volumeNumbers: (named: Set<Int>, all: Set<Int>, hasVolume: Bool, isHidden: Bool) {
        var named: Set<Int> = []
        var hasVolume = false
        var all: Set<Int> = []
        var names: [[Letters]] = []
        for field in [Field.title, .subtitle, .series] {
            let words = words.filter { $0.field == field }.map(\.letters)
            names.append(words)
            for word in words { all.formUnion(VolumeNumbers.values(of: word)) }
            let found = VolumeNumbers(words, beginsLine: words.indices.map { $0 == words.startIndex })
            for number in found.numbers {
                all.formUnion(number.values)
                if number.isNamed { named.formUnion(number.values) }
                if number.isNamed || number.place == words.count - 1 && words.count > 1 { hasVolume = true }
            }
        }
        func name(_ words: [Letters]) -> [Letters] { words.filter { !$0.isWord("the") && !$0.isWord("a") } }
        let isHidden = !names[2].isEmpty && name(names[2]) != name(names[0]) && !hasVolume
        return (named, all, hasVolume, isHidden)
    }
}
