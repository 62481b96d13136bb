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
    init(_ words: [ArraySlice<UInt8>], beginsLine: [Bool]) {
        for place in words.indices {
            if let values = Self.gluedValues(words[place]), !values.isEmpty {
                numbers.append(Number(values: values, place: place, isNamed: true, isAlone: false))
                continue
            }
            if let number = Self.eastAsian(words[place]) {
                numbers.append(Number(values: number.values, place: place, isNamed: number.isNamed, isAlone: false))
                continue
            }
            let endsLine = place + 1 == words.count || beginsLine[place + 1]
            guard let form = Self.form(of: words[place]) ?? Self.letter(words[place], endsLine: endsLine) else {
                continue
            }
            func word(_ offset: Int) -> ArraySlice<UInt8>? {
                words.indices.contains(place + offset) ? words[place + offset] : nil
            }
            if let next = word(1), !beginsLine[place + 1] || form.isOrdinal, Self.otherThings.contains(Array(next)) {
                continue
            }
            if let next = word(1), !beginsLine[place + 1], Array(next) == Array("in".utf8),
                word(2).flatMap(Self.form) != nil
            {
                continue
            }
            let isSmall = form.values.contains { (1...Form.greatestUnnamed).contains($0) } && words[place].first != 0x30
            let isNamed =
                (isSmall || word(-1)?.count ?? 0 > 1) && Self.isDesignator(word(-1), of: form)
                || word(-1).map(Array.init) == Array("the".utf8) && form.isOrdinal
                    && Self.isDesignator(word(-2), of: form)
                || form.mayPrecede && isSmall && word(1).map { Self.designators.contains(Array($0)) } == true
                    && word(2).flatMap(Self.form) == nil
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
    static func values(of word: ArraySlice<UInt8>) -> [Int] {
        form(of: word).map { $0.needsName ? [] : $0.values } ?? gluedValues(word) ?? eastAsian(word)?.values ?? []
    }

    private static func form(of word: ArraySlice<UInt8>) -> Form? {
        let digits = word.prefix { (0x30...0x39).contains($0) }
        if digits.count == word.count { return digits.count <= 3 ? figures(digits) : nil }
        if !digits.isEmpty, digits.count <= 2,
            ordinalEndings.contains(String(decoding: word.dropFirst(digits.count), as: UTF8.self))
        {
            // "3E" alone is of a label mostly.
            return figures(digits).map { Form(values: $0.values, isOrdinal: true, needsName: true) }
        }
        if let known = numberWords[String(decoding: word, as: UTF8.self)] { return known }
        if let roman = roman(word) { return Form(values: [roman], needsName: word.count == 1) }
        // A reader takes the letter l for the Roman one.
        let upright = word.map { $0 == UInt8(ascii: "l") || $0 == UInt8(ascii: "1") ? UInt8(ascii: "i") : $0 }
        return roman(upright[...]).map { Form(values: [$0], needsName: word.count == 1) }
    }

    /// Returns the number of a volume that a letter has; "A", "D" and "E" are words elsewhere than at a line's end.
    private static func letter(_ word: ArraySlice<UInt8>, endsLine: Bool) -> Form? {
        guard word.count == 1, let letter = word.first, let value = letters.firstIndex(of: letter) else { return nil }
        return endsLine || !"ade".utf8.contains(letter)
            ? Form(values: [value + 1], isFigure: false, needsName: true) : nil
    }
    private static let letters = Array("abcdefgh".utf8)

    /// Returns the numbers of a word of Chinese, Japanese or Korean, in which the title may be too: 下, 第2巻, 巻二,
    /// 三体2.
    private static func eastAsian(_ word: ArraySlice<UInt8>) -> (values: [Int], isNamed: Bool)? {
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
        let value = isPlain ? Int(String(digits)) ?? romans[Array(String(digits).utf8)] : han(digits)
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
    static func years(_ words: [ArraySlice<UInt8>]) -> Set<Int> {
        let numbers = words.filter { $0.count == 4 }.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        return Set(numbers.filter((1_900...2_099).contains))
    }

    private static func figures(_ digits: ArraySlice<UInt8>) -> Form? {
        guard let value = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        let isUpright = digits.allSatisfy { $0 == UInt8(ascii: "1") }
        return Form(values: isUpright && digits.count > 1 ? [value, digits.count] : [value])
    }

    /// Returns the value of a Roman number up to 39 in its canonical spelling: larger ones are words more often than
    /// numbers.
    private static func roman(_ word: ArraySlice<UInt8>) -> Int? {
        guard (1...7).contains(word.count), word.allSatisfy("ivx".utf8.contains) else { return nil }
        return romans[Array(word)]
    }

    private static let romans: [[UInt8]: Int] = {
        let units = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
        return Dictionary(
            uniqueKeysWithValues: (1...39).map { value in
                (Array((String(repeating: "x", count: value / 10) + units[value % 10]).utf8), value)
            }
        )
    }()

    /// Returns the values of "vol2", "bd3", "t3" and the like.
    private static func gluedValues(_ word: ArraySlice<UInt8>) -> [Int]? {
        let letters = word.prefix { $0 > 0x39 }
        let digits = word.dropFirst(letters.count)
        guard !letters.isEmpty, (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            designators.contains(Array(letters)) || letters.elementsEqual("t".utf8)
        else { return nil }
        return figures(digits)?.values.filter { $0 > 0 }
    }

    private static func isDesignator(_ word: ArraySlice<UInt8>?, of form: Form) -> Bool {
        guard let word else { return false }
        // Elsewhere than before a number "Tom" is a name.
        return designators.contains(Array(word)) || word.elementsEqual("tom".utf8)
            || form.isFigure && figureDesignators.contains(Array(word))
    }

    /// Words beside which a number is that of a volume.
    static let designators = SpineRemarks.words(
        """
        vol vols volume volumen volum volumul book bk part pt tome tomo band bd teil tl deel dl boek parte partie part livre libro \
        llibre livro buch volym bind bok del delen dele kniha kirja ksiega cast osa issue heft cahier cuaderno episode saison season numero nummer \
        number nombre cilt fascicle chapter reihe том книга часть 第 巻 卷 冊 册 集 部 권 제 편
        """
    )
    /// Words that are such beside figures alone.
    private static let figureDesignators = SpineRemarks.words("no nr num n t v b")

    /// Things other than volumes that are counted or numbered on spines.
    private static let otherThings = SpineRemarks.words(
        """
        edition editions ed edn edicion edicio edizione ediz editie aufl auflage auflg impression impresion printing druck reprint uitgave \
        upplagan utgave edicao anniversary aniversario aniversari anniversaire jubilaum centenary years year anys anos ans jahre jahren \
        million millions copies weeks minutes days hours pounds dollars century siglo segle siecle jahrhundert world
        """
    )

    private static let ordinalEndings: Set<String> = [
        "st", "nd", "rd", "th", "e", "er", "re", "eme", "nde", "o", "a", "os", "as", "n", "r", "t", "te", "ter", "tes",
        "ten",
    ]

    private static let numberWords: [String: Form] = {
        var forms: [String: Form] = [:]
        func add(_ lines: [String], isOrdinal: Bool, needsName: Bool) {
            for line in lines {
                for (index, names) in line.split(separator: " ").enumerated() {
                    for name in names.split(separator: "/") where name != "-" {
                        forms[String(name)] =
                            Form(values: [index + 1], isOrdinal: isOrdinal, isFigure: false, needsName: needsName)
                    }
                }
            }
        }
        // Numbers of the other languages are English words too, as "six" and "fire" are.
        add(
            [
                "- deux trois quatre cinq six sept huit neuf dix onze douze",
                "- dos/dues tres cuatro/quatre cinco/cinc seis/sis siete/set ocho/vuit nueve/nou diez/deu once doce/dotze",
                "uno due/dois/duas tre quattro/quatro cinque sei sette/sete otto/oito nove dieci/dez",
                "- twee drie - vijf zes zeven - negen tien",
                "- tva/to/kaksi - fyra/fire fem sex/seks sju/syv atta/otte nio/ni tio/ti",
                "- - - - - - - acht - - elf",
            ],
            isOrdinal: false,
            needsName: true
        )
        add(
            [
                "eins zwei drei vier funf/fuenf sechs sieben - neun zehn - zwolf/zwoelf",
                "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
                    + "nineteen twenty",
            ],
            isOrdinal: false,
            needsName: false
        )
        add(
            [
                "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
                "erster/erste/erstes/ersten zweiter/zweite/zweites/zweiten dritter/dritte/drittes/dritten "
                    + "vierter/vierte/viertes/vierten funfter/funfte/funftes/funften sechster/sechste/sechstes siebter/siebte/siebtes "
                    + "achter/achte/achtes neunter/neunte/neuntes zehnter/zehnte/zehntes",
                "premier/premiere deuxieme/seconde troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme",
                "primer/primero/primera segundo/segunda/segon/segona tercer/tercero/tercera cuarto/cuarta/quart/quarta "
                    + "quinto/quinta/cinque sexto/sexta/sise septimo/septima/sete octavo/octava/vuite noveno/novena/nove decimo/decima/dese",
                "primo/prima/primeiro/primeira secondo/seconda terzo/terza/terceiro/terceira - - sesto/sesta settimo/settima ottavo/ottava nono/nona",
                "pierwszy/pierwsza drugi/druga trzeci/trzecia czwarty/czwarta piaty/piata szosty/szosta siodmy/siodma osmy/osma",
                "первый/первыи/первая второй/второи/вторая третий/третии/третья четвертый/четвертыи/четвертая пятый/пятыи/пятая",
                "eerste tweede derde vierde vijfde zesde zevende achtste negende tiende",
                "forsta/forste andra/andre/anden tredje fjarde/fjerde femte sjatte/sjette sjunde/syvende attonde/ottende nionde/niende tionde/tiende",
            ],
            isOrdinal: true,
            needsName: true
        )
        return forms
    }()
}

extension VolumeNumbers {
    /// Minimum confidence of a figure: marks other than letters are read as figures of low confidence.
    private static let sureConfidence = 0.9

    /// Returns whether figures are the first or the last ones of a number: "Catch-2" is Catch-22, cut off.
    private static func isPart(_ shape: [UInt8], of number: Int) -> Bool {
        let whole = OpticalShape.of(Array(String(number).utf8))
        return whole.starts(with: shape) || whole.reversed().starts(with: shape.reversed())
    }

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
        let relevant = query.numbers.numbers.filter { number in
            let word = query.words[number.place]
            // The title "Algebra I" is a part of "Algebra II".
            let isLonger = word.range.overlaps(title) && word.range.upperBound > title.upperBound
            guard !word.range.overlaps(title) || number.isNamed || isLonger else { return false }
            if number.isNamed { return true }
            let follows = (isLonger || word.range.lowerBound == title.upperBound) && query.endsLine(number.place)
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
            if !number.isNamed, own.named.isEmpty, own.all.contains(where: { $0 > 9 && isPart(shape, of: $0) }) {
                return false
            }
            if number.values.contains(1) { return !own.named.isEmpty }
            return own.hasVolume || !own.isHidden
        }
    }
}

extension IndexedBook {
    /// Whether the name of its series begins with its title: "The Hunger Games".
    var isNameOfSeries: Bool {
        func name(_ field: Field) -> [ArraySlice<UInt8>] {
            words.filter { $0.field == field }.map(\.letters).filter { !$0.elementsEqual("the".utf8) }
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
        var names: [[ArraySlice<UInt8>]] = []
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
        let articles = [Array("the".utf8), Array("a".utf8)]
        func name(_ words: [ArraySlice<UInt8>]) -> [[UInt8]] { words.map(Array.init).filter { !articles.contains($0) } }
        let isHidden = !names[2].isEmpty && name(names[2]) != name(names[0]) && !hasVolume
        return (named, all, hasVolume, isHidden)
    }
}
