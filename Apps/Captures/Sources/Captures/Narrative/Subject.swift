import Basics
import CaptureReading
import CaptureSpace
import Foundation

/// What a capture is, by its facts: what it is called, what is said of it, and the concepts that it adds.
///
/// All texts of it are without passwords and keys.
struct Subject: Sendable, Equatable {
    enum Kind: Sendable {
        case book, shelf, page, music, place, code, thing, note, text, sheet, address
        /// A book by its form, of which nobody knows which one it is.
        case unidentified
        /// Anything that a person has named.
        case named
        case unknown

        /// What somebody did with it, in a story and in a statement ("" for nothing), and its nouns.
        var words: (verb: String, statement: String, one: String, many: String) {
            switch self {
            case .book: ("saw", "Reading ", "book", "books")
            case .shelf: ("saw", "", "shelf of books", "shelves of books")
            case .page: ("opened", "Opening ", "web page", "web pages")
            case .music: ("listened to", "Listening to ", "piece of music", "pieces of music")
            case .place: ("saw", "", "place", "places")
            case .code: ("scanned", "Scanning ", "code", "codes")
            case .note: ("noted", "Noting ", "note", "notes")
            case .thing, .text, .named: ("photographed", "", "picture", "pictures")
            case .sheet: ("photographed", "Reading ", "page", "pages")
            case .address: ("captured", "", "address", "addresses")
            case .unidentified: ("saw", "", "book that is not identified", "books that are not identified")
            case .unknown: ("captured", "", "picture with unknown content", "pictures with unknown content")
            }
        }
    }

    var kind: Kind
    /// Its name; of a text, the heading; "" for none.
    var title = ""
    /// What is quoted in a statement, where that is not the title.
    var text = ""
    /// Words before the quote ("the code of the book ").
    var lead = ""
    var makers: [String] = []
    var site = ""
    var address = ""
    /// Books that were named on a shelf, and the number of all.
    var books: [Subject] = []
    var count = 0
    /// Contents of its codes.
    var contents: [String] = []
    /// Confidence that a thing is called so, 0 to 1.
    var certainty = 1.0

    init(_ kind: Kind, _ title: String = "", makers: [String] = []) {
        (self.kind, self.title, lead) = (kind, title, kind == .place ? "the place " : "")
        self.makers = Array(makers.map { PlainText.name($0) }.filter { !$0.isEmpty }.prefix(2))
    }

    /// Confidence from which a thing is stated; from ``leastUncertain`` on it is stated as "perhaps".
    static let leastSure = 0.6
    static let leastUncertain = 0.4
}

// MARK: - From facts

extension Subject {
    /// Creates the subject of an item with those that were found in it.
    init(_ item: CapturedItem, children: [CapturedItem] = []) {
        let facts = item.enrichment
        let title = Self.strong(facts.title)
        let text = TextSecrets(in: (item.media.transcription ?? "").bounded(to: 4_096)).redacted
        let heading = Self.heading(of: text)
        let books = children.filter { $0.kind == .book }
        let codes = ([item] + children).filter { $0.enrichment.qrContext != nil }
        let thing = item.labels.filter { SceneLabel(rawValue: $0.key) == nil && $0.value >= Self.leastUncertain }
            .max { ($0.value, $1.key) < ($1.value, $0.key) }
        let page = facts.webContext
        // A page without content was not reached.
        let isReached = [title, page?.siteName, page?.textContent].contains { $0?.known != nil }
        let given = item.isTitledByUser ? item.title.known : item.givenName.map(PlainText.capitalised)
        if item.kind == .shelf, !books.isEmpty {
            self.init(.shelf)
            (self.books, count) = (books.compactMap { Subject(book: $0.enrichment.bookContext) }, books.count)
        } else if item.kind != .text, let book = Subject(book: facts.bookContext) {
            self = book
        } else if let music = facts.musicContext, let title = music.title?.known {
            self.init(.music, title, makers: music.artists)
        } else if item.isWebPage, isReached {
            let site = PlainText.name(page?.siteName ?? "")
            self.init(.page, title ?? site.known ?? item.url.flatMap { URL(string: $0)?.host() } ?? "")
            (self.site, address) = (title == nil ? "" : site, item.url ?? "")
        } else if item.isWebPage, codes.isEmpty {
            self.init(.address, TextSecrets(in: item.url ?? "").redacted)
            (lead, address) = ("the address ", item.url ?? "")
        } else if let code = codes.first {
            self.init(code: code)
            if facts.qrContext == nil, !isNamedCode, let heading { self.title = heading }
            contents = codes.compactMap { $0.enrichment.qrContext?.payload }
        } else if item.kind == .text, item.parentID == nil {
            self.init(.note, item.isTitledByUser ? item.title : heading ?? PlainText.line(text, most: 60))
            if !item.isTitledByUser { self.text = text }
        } else if let name = given ?? title {
            self.init(item.kind == .place ? .place : .named, name)
        } else if item.kind == .book {
            self.init(.unidentified)
        } else if let thing, thing.value >= Self.leastSure {
            self.init(.thing, heading ?? PlainText.capitalised(thing.key))
            (self.text, certainty) = (thing.key, thing.value)
        } else if text.prefix(200).count(where: \.isLetter) > 2 {
            // One letter or two are noise more often than text.
            let isSheet = item.kind == .document || item.labels[SceneLabel.page.rawValue] != nil
            self.init(isSheet ? .sheet : .text, heading ?? PlainText.line(text, most: 60))
            (lead, self.text) = (isSheet ? "a page that begins " : "a text that begins ", text)
        } else if let thing {
            self.init(.thing)
            (self.text, certainty) = (thing.key, thing.value)
        } else if item.kind == .place, let place = facts.placeContext?.name?.known {
            self.init(.place, place)
        } else {
            self.init(.unknown)
        }
    }

    /// Creates the subject of a book; nil for one without a title, which may be a number ("1984").
    private init?(book: BookContext?) {
        guard let book, let title = book.title, title.contains(where: { $0.isLetter || $0.isNumber }) else {
            return nil
        }
        self.init(.book, title, makers: book.authors)
    }

    /// Creates the subject of a code, or of a picture with one.
    private init(code item: CapturedItem) {
        let facts = item.enrichment
        let (code, book) = (facts.qrContext, Subject(book: facts.bookContext))
        let number = item.kind == .book ? facts.bookContext?.isbn : code?.meaning?.title
        let content = TextSecrets(in: number ?? code?.payload ?? "").redacted
        var (noun, name) = ("Code", String?.none)
        switch item.kind {
        case .book: (noun, name) = ("Book", book?.title ?? Self.strong(facts.title))
        case .product where !item.isWebPage: (noun, name) = ("Product", Self.strong(facts.title))
        default: break
        }
        let quote = name ?? content
        // Digits alone name nothing.
        self.init(.code, quote.contains(where: \.isLetter) ? quote : "\(noun) \(quote)", makers: book?.makers ?? [])
        text = quote
        let isAddress = [.web, .media, .product].contains(item.kind)
        if code?.isPartial == true {
            title = "Part of a text in several codes: \(content)"
            lead = "one of several codes with parts of a text, of which others are missing: "
        } else if noun != "Code" {
            lead = name == nil ? "the code of a \(noun.lowercased()), " : "the code of the \(noun.lowercased()) "
        } else {
            lead = isAddress ? "a code that leads to " : code?.meaning == nil ? "a code with the text " : "a code for "
        }
    }

    /// Returns a title that is not a placeholder, an address or a number; nil for any other.
    fileprivate static func strong(_ title: String?) -> String? {
        title.flatMap { Facts.isWeak(title: $0) ? nil : $0 }
    }

    /// Returns the first line that may be a heading: signs and digits are noise more often than text.
    private static func heading(of text: String) -> String? {
        text.split(whereSeparator: \.isNewline).first { $0.count > 2 && 2 * $0.count(where: \.isLetter) >= $0.count }
            .map { PlainText.line(String($0), most: 60) }
    }
}

// MARK: - As words

extension Subject {
    /// Name in lists; nil without one.
    var name: String? {
        switch kind {
        case .shelf:
            let names = books.prefix(2).map { PlainText.line($0.title, most: 40) }
            let rest = count - names.count
            if names.isEmpty { return "A shelf with \(rest) book\(rest == 1 ? "" : "s"), none identified" }
            return PlainText.list(names + (rest > 0 ? ["\(rest) more book\(rest == 1 ? "" : "s")"] : []))
        case .place: return "At \(title)"
        case .unidentified: return "Not identified"
        default: return title.known.map { PlainText.line($0, most: 100) }
        }
    }

    /// Its names as a session may be called by them: certain ones, or beginnings of texts.
    var titles: [(text: String, origin: SessionTitle.Origin)] {
        switch kind {
        case .shelf: books.prefix(3).map { ($0.title, .name) }
        case .book, .music, .page, .note, .named: [(title, .name)]
        case .code: [(title, isNamedCode || lead == "a code for " ? .name : .text)]
        case .thing: isSure ? [(title, .thing)] : []
        case .text, .sheet, .address: [(title, .text)]
        case .place, .unidentified, .unknown: []
        }
    }

    /// Words by which its purpose and its concepts are known: those of a name or a page, not our own, nor an address.
    var words: String {
        switch kind {
        case .book, .shelf, .page, .music, .named, .place: ([title, site] + books.map(\.title)).joined(separator: ". ")
        default: ""
        }
    }

    /// All texts of it.
    var texts: [String] { [title, text, site] + makers + books.flatMap(\.texts) }

    var isSure: Bool { certainty >= Self.leastSure }

    /// Its purpose, where its kind has one.
    var intent: Intent? { [.book: .reading, .shelf: .reading, .music: .listening][kind] }

    /// Whether it is the code of something that a source named.
    var isNamedCode: Bool { lead.hasPrefix("the code of the ") }

    /// Whether something is said of it but its kind.
    var isNamed: Bool { kind == .shelf ? count > 0 : !["", "“”"].contains(object) }

    /// It in a story, by its title alone: "“Emma”", "a cup".
    var object: String {
        switch kind {
        case .unknown, .unidentified: ""
        case .shelf: Self.shelf(books.map { PlainText.quoted($0.title) }, of: count)
        case .thing: isSure ? phrase : "perhaps \(phrase)"
        case .address: title.isEmpty ? "" : "the address \(PlainText.quoted(title))"
        // Of a code in digits, the title has a noun.
        case .code where !text.contains(where: \.isLetter): PlainText.quoted(text.known ?? title)
        default: title.isEmpty ? "" : PlainText.quoted(title)
        }
    }

    /// What is not said twice: the title, or the name of a thing, be it sure or not.
    var key: String { FoldedText.key(kind == .thing ? text : title.known ?? object) }

    /// Statement about it without a person ("Reading “Emma” by Jane Austen.").
    var sentence: String {
        guard isNamed else { return PlainText.capitalised(Self.article(kind.words.one) + ".") }
        let object =
            switch kind {
            case .shelf: Self.shelf(books.map { PlainText.quoted($0.title) + Self.by($0.makers) }, of: count)
            case .thing: object
            default: lead + PlainText.quoted(text.known ?? title) + Self.by(makers)
            }
        let more = contents.count > 1 ? " and \(NumberWords.of(contents.count - 1)) more" : ""
        let sentence = PlainText.capitalised(kind.words.statement + object + (site.isEmpty ? "" : " on \(site)") + more)
        return PlainText.sentence(sentence, most: Narrative.mostStatement)
    }

    /// A thing with its article ("an astronaut"); a person's own name for it has none.
    private var phrase: String { Self.article(String(PlainText.name(text).prefix { $0 != "(" }).trimmingSpace) }

    private static func article(_ noun: String) -> String {
        let isPlural = noun.hasSuffix("s") && !["ss", "us", "is"].contains { noun.hasSuffix($0) }
        let isOwn = ["my", "our", "the", "your"].contains(noun.prefix { $0 != " " }.lowercased())
        if isPlural || isOwn || noun.isEmpty { return noun }
        return (["a", "e", "i", "o", "u"].contains(noun.prefix(1).lowercased()) ? "an " : "a ") + noun
    }

    /// Returns " by Jane Austen"; "" for nobody.
    static func by(_ people: [String]) -> String {
        let names = people.prefix(2).map { PlainText.name($0) }.filter { !$0.isEmpty }
        return names.isEmpty ? "" : " by \(PlainText.list(names))"
    }

    /// Returns the phrase of one or more shelves with three of their books.
    static func shelf(_ named: [String], of count: Int, shelves: Int = 1) -> String {
        let shelf = shelves == 1 ? "a shelf" : "\(NumberWords.of(shelves)) shelves"
        let shown = Array(named.prefix(3))
        if shown.count == count { return "\(shelf) with \(PlainText.list(shown))" }
        let books = "\(shelf) with \(NumberWords.of(count)) book\(count == 1 ? "" : "s")"
        return shown.isEmpty ? books : "\(books), among them \(PlainText.list(shown))"
    }

    /// It without its names: its kind alone.
    var anonymous: Subject { Subject(kind) }
}

/// Numbers as a text spells them.
enum NumberWords {
    private static let words = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    ]

    /// Returns a number in words up to twenty, else in digits.
    static func of(_ number: Int) -> String { words.indices.contains(number) ? words[number] : "\(number)" }
}

// MARK: - Concepts

extension ConceptWeight {
    /// Returns the concepts that an item adds, with their automatic weights, each name once, ignoring case.
    ///
    /// A product's name is a product; purposes are purposes; tags and classes are other concepts. A name that two of
    /// them have counts by the heavier. What a person has removed from its tags is none.
    static func automatic(from item: CapturedItem) -> [UserConcept] {
        let products = item.kind == .product ? [Subject.strong(item.enrichment.title)].compactMap(\.self) : []
        let named = [
            (products, Origin.product), (item.purposes, .purpose), (item.tags + item.enrichment.categories, .other),
        ]
        var seen = Set((item.removedTags ?? []).map { $0.lowercased() })
        return named.flatMap { names, origin in
            names.compactMap { name in
                guard let name = name.trimmingSpace.known, seen.insert(name.lowercased()).inserted else { return nil }
                return UserConcept(name: name, weight: origin.weight)
            }
        }
    }
}
