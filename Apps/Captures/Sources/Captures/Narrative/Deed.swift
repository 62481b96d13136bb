import Basics
import Foundation

/// Capture as a part of a sentence: what somebody did, and with which thing.
struct Deed {
    enum Act: Int, CaseIterable {
        case saw, opened, scanned, listened, noted, photographed, shelf, addressed, unknown

        var verb: String {
            switch self {
            case .saw: "saw"
            case .opened: "opened"
            case .scanned: "scanned"
            case .listened: "listened to"
            case .noted: "noted"
            case .photographed: "photographed"
            case .shelf: "saw"
            case .addressed, .unknown: "captured"
            }
        }

        /// Noun of a capture that is counted and not named.
        func noun(_ count: Int) -> String {
            let (one, many) =
                switch self {
                case .saw: ("book", "books")
                case .opened: ("web page", "web pages")
                case .scanned: ("code", "codes")
                case .listened: ("piece of music", "pieces of music")
                case .noted: ("note", "notes")
                case .photographed: ("picture", "pictures")
                case .shelf: ("shelf of books", "shelves of books")
                case .addressed: ("address", "addresses")
                case .unknown: ("picture with unknown content", "pictures with unknown content")
                }
            return "\(NumberWords.of(count)) \(count == 1 ? one : many)"
        }
    }

    var act: Act
    /// Act by which it is counted where it is not named.
    var kind: Act
    /// Words before the name ("the code of the book"); "" for none.
    var lead = ""
    /// Name in quotes, or a phrase ("a cup").
    var name: String
    /// Makers ("Jane Austen"), which several captures may share.
    var people: [String] = []
    /// Site of a page; "" for none.
    var site = ""
    /// Address that was captured; "" for none.
    var address: String
    /// Words after the name ("and two more"); "" for none.
    var more = ""
    /// Named books of a shelf.
    var books: [(name: String, people: [String])] = []
    var bookCount = 0
    var place: String
    var isHome: Bool
    var times: [Date] = []
    /// Number of captures with its rarest feature: 1 for a thing without its like.
    var count: Int

    /// Creates the deed of an item's facts.
    init(_ item: NarrativeInput.Item, counts: [String: Int]) {
        (place, isHome, times, address) = (item.place, item.isHome, [item.time], item.address)
        count = item.features.map { counts[$0] ?? 1 }.min() ?? Int.max
        kind =
            item.label == "web"
            ? (item.isReached ? .opened : .addressed)
            : !item.codes.isEmpty ? .scanned : item.isNote ? .noted : item.bookCount > 1 ? .shelf : .unknown
        (act, name) = (.unknown, "")
        func people(_ names: [String]) -> [String] {
            Array(names.map { PlainText.name($0) }.filter { !$0.isEmpty }.prefix(2))
        }
        if item.bookCount > 1 {
            (act, bookCount) = (.shelf, item.bookCount)
            books = item.books.filter { $0.title.known != nil }
                .map { (PlainText.quoted($0.title), people($0.authors)) }
            name = books.map(\.name).joined()
        } else if let book = item.book, book.title.known != nil {
            (act, name, self.people) = (.saw, PlainText.quoted(book.title), people(book.authors))
        } else if let music = item.music, music.title.known != nil {
            (act, name, self.people) = (.listened, PlainText.quoted(music.title), people(music.artists))
        } else if item.label == "web", !item.isReached, item.codes.isEmpty {
            (act, lead, name) = (.addressed, "the address ", item.title.known.map { PlainText.quoted($0) } ?? "")
            if name.isEmpty { (lead, name) = ("", "an address") }
        } else if item.isReached, item.label == "web" || !item.site.isEmpty {
            (act, site) = (.opened, PlainText.name(item.site))
            name = item.title.known == nil ? site : PlainText.quoted(item.title)
            if item.title.known == nil { site = "" }
            if name.isEmpty { name = "a web page" }
        } else if let code = item.codes.first {
            act = .scanned
            (lead, name) = Self.words(for: code)
            if code.name.known != nil { self.people = people(code.authors) }
            if item.codes.count > 1 { more = " and \(NumberWords.of(item.codes.count - 1)) more" }
        } else if let thing = item.thing, thing.isSure {
            (act, name) = (.photographed, thing.phrase)
        } else if item.isNote, let text = item.title.known ?? item.transcription.known {
            (act, name) = (.noted, PlainText.quoted(text))
        } else if item.label == "code" {
            (act, name) = (.scanned, "a code")
        } else if item.transcription.prefix(200).count(where: \.isLetter) > 2 {
            // One letter or two are noise more often than text.
            act = .photographed
            lead = item.label == "page" ? "a page that begins " : "a text that begins "
            name = PlainText.quoted(item.transcription)
        } else if let thing = item.thing {
            (act, lead, name) = (.photographed, "perhaps ", thing.phrase)
        } else if item.label == "page" {
            (act, name) = (.photographed, "a page")
        }
        // Texts of nothing but control characters.
        if name == "“”" { (act, name, lead, more) = (.unknown, "", "", "") }
        if act != .unknown { kind = act }
    }

    /// Text of what is not said twice, folded: a page by its address, a thing and its code by the thing's name.
    var key: String {
        let isPage = ![.saw, .listened, .scanned, .shelf].contains(act)
        let key = FoldedText.key(isPage ? address.known ?? "\(name) \(site)" : name)
        let isOfThing = lead.hasPrefix("the code of ")
        return act == .shelf ? "\(bookCount) \(key)" : act == .scanned && !isOfThing ? "code \(key)" : key
    }

    /// Words before the name among others of its verb: shorter than ``lead``.
    var brief: String { Self.briefs[lead] ?? lead }

    private static let briefs = [
        "the code of the book ": "the book ", "the code of a book, ": "the book code ",
        "the code of the product ": "the product ", "the code of a product, ": "the product code ",
        "a code that leads to ": "the link ", "a code with the text ": "the code ", "a code for ": "the code for ",
        "one of several codes with parts of a text, of which others are missing: ": "a part of a text, ",
    ]
    /// Words before several names.
    static let plurals = [
        "the book ": "the books ", "the book code ": "the book codes ", "the product ": "the products ",
        "the product code ": "the product codes ", "the link ": "the links ", "the code ": "the codes ",
        "the code for ": "the codes for ", "the address ": "the addresses ",
        "a part of a text, ": "parts of texts, ", "a page that begins ": "pages that begin ",
        "a text that begins ": "texts that begin ",
    ]

    private static func words(for code: NarrativeInput.Code) -> (lead: String, name: String) {
        let content = PlainText.quoted(code.content)
        let name = code.name.known.map { PlainText.quoted($0) }
        if code.isPartial {
            return ("one of several codes with parts of a text, of which others are missing: ", content)
        }
        switch code.subject {
        case .book: return name.map { ("the code of the book ", $0) } ?? ("the code of a book, ", content)
        case .product: return name.map { ("the code of the product ", $0) } ?? ("the code of a product, ", content)
        case .page: return ("a code that leads to ", content)
        case .meaning: return ("a code for ", content)
        case .text: return ("a code with the text ", content)
        }
    }

    /// Statement about one capture without a person ("Reading “Emma” by Jane Austen."); "" without facts.
    var statement: String {
        let verb =
            switch act {
            case .saw: "Reading "
            case .opened: "Opening "
            case .scanned: "Scanning "
            case .listened: "Listening to "
            case .noted: "Noting "
            case .photographed: lead.hasPrefix("a page") ? "Reading " : ""
            case .shelf, .addressed, .unknown: ""
            }
        if act == .unknown { return "" }
        let object =
            act == .shelf
            ? Self.shelf(books.map { $0.name + Self.by($0.people) }, of: bookCount)
            : lead + name + Self.by(people) + (site.isEmpty ? "" : " on \(site)") + more
        return PlainText.capitalised(verb + object)
    }

    /// Returns " by Jane Austen"; "" for nobody.
    static func by(_ people: [String]) -> String { people.isEmpty ? "" : " by \(PlainText.list(people))" }

    /// Returns the phrase of a shelf with some of its books.
    static func shelf(_ named: [String], of count: Int) -> String {
        let shown = Array(named.prefix(3))
        if shown.isEmpty { return "a shelf with \(NumberWords.of(count)) books" }
        if shown.count == count { return "a shelf with \(PlainText.list(shown))" }
        return "a shelf with \(NumberWords.of(count)) books, among them \(PlainText.list(shown))"
    }
}

/// Numbers as a text spells them.
enum NumberWords {
    private static let words = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    ]
    private static let ordinals = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    ]

    /// Returns a number in words up to twenty, else in digits.
    static func of(_ number: Int) -> String { words.indices.contains(number) ? words[number] : "\(number)" }

    /// Returns "once", "twice", "three times".
    static func times(_ number: Int) -> String {
        number == 1 ? "once" : number == 2 ? "twice" : "\(of(number)) times"
    }

    /// Returns "third" for 3, "11th" for 11.
    static func ordinal(_ number: Int) -> String {
        if ordinals.indices.contains(number - 1) { return ordinals[number - 1] }
        let end = (11...13).contains(number % 100) ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
        return "\(number)\(end)"
    }
}
