import Basics
import Foundation

/// Fact in a text that a person may use at once: a number to call, a page to open, an amount.
package struct PrintedFact: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case phone, email, web, address, date, amount

        /// Returns the address that opens a fact; nil for dates and amounts, and for what is no address of the web.
        fileprivate func href(_ text: String) -> String? {
            func encoded(_ more: String) -> String? {
                text.addingPercentEncoding(
                    withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: more))
                )
            }
            return switch self {
            case .phone: "tel:" + text.replacing("(0)", with: "").filter { $0.isASCII && $0.isNumber || $0 == "+" }
            case .email: encoded("@.+-_").map { "mailto:" + $0 }
            case .web: CaptureIntake.webAddress(text)
            case .address: encoded("").map { "https://www.openstreetmap.org/search?query=" + $0 }
            case .date, .amount: nil
            }
        }
    }

    package var kind: Kind
    /// As it is written; of a page, its whole address.
    package var text: String
    /// Address that opens it, with the scheme tel, mailto or https; nil for dates and amounts.
    var href: String?

    fileprivate init(_ kind: Kind, _ text: String) { (self.kind, self.text, href) = (kind, text, kind.href(text)) }

    private static let most = 20

    /// Returns the facts in a text, each once, by kinds; at most 20.
    ///
    /// What may be something else is none: digits that are a book's number, a date without a month, a host of an unknown domain.
    package static func all(in text: String) -> [PrintedFact] {
        let text = text.bounded(to: 20_000)
        let books = ISBN.all(in: text, marked: true).map(\.digits)
        var found = CaptureIntake.addresses(in: text, completes: true).map { PrintedFact(.web, $0) }
        var places: [Range<String.Index>] = []
        for (kind, pattern) in patterns {
            guard let form = try? NSRegularExpression(pattern: pattern) else { continue }
            for match in form.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
                // The value alone, where a word before it is its mark.
                let value = (1..<match.numberOfRanges).map(match.range(at:)).first { $0.location != NSNotFound }
                guard let place = Range(value ?? match.range, in: text), !places.contains(where: place.overlaps),
                    isLikely(kind, text[place], books)
                else { continue }
                places.append(place)
                found.append(PrintedFact(kind, String(text[place])))
            }
        }
        let sorted = Kind.allCases.flatMap { kind in found.filter { $0.kind == kind } }
        return Array(sorted.enumerated().filter { sorted.firstIndex(of: $1) == $0 }.map(\.element).prefix(most))
    }

    private static func isLikely(_ kind: Kind, _ text: Substring, _ books: [String]) -> Bool {
        switch kind {
        case .phone:
            let digits = text.filter(\.isNumber)
            return (7...15).contains(digits.count) && !books.contains { $0.contains(digits.dropLast()) }
        case .date:
            let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
            // The year is the first number of "2026-11-27", else the last one.
            let days = numbers.first ?? 0 > 31 ? numbers.dropFirst() : numbers.dropLast()
            return days.allSatisfy { (1...31).contains($0) } && (days.count < 2 || days.contains { $0 < 13 })
        default: return true
        }
    }

    private static let month = """
        (?i:jan(?:uary|uar|\\.)?|jänner|feb(?:ruary|ruar|\\.)?|mar(?:ch|\\.)?|märz|apr(?:il|\\.)?|ma[iy]|jun[ei]?|jul[iy]?\
        |aug(?:ust|\\.)?|sept?(?:ember|\\.)?|o[ck]t(?:ober|\\.)?|nov(?:ember|\\.)?|de[cz](?:ember|\\.)?)
        """

    /// Patterns by kind, the surest first: what one has found is none of those behind it.
    private static let patterns: [(Kind, String)] = [
        (.email, #"[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}"#),
        (
            .date,
            #"(?<![\d.,/-])(?:\d{4}-\d{2}-\d{2}|\d{1,2}\. ?\d{1,2}\. ?\d{4}|\d{2}\.\d{2}\.\d{2}|\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})"#
                + #"|\d{1,2}(?:st|nd|rd|th|\.)? "# + month + #" \d{4}|"# + month
                + #" \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?![\d/-]|[.,]\d)"#
        ),
        (
            .amount,
            #"(?:[€$£¥]|(?<!\p{L})(?:EUR|USD|GBP|CHF|JPY)) ?(?:\d{1,3}(?:[.,'’ ]\d{3})+|\d{1,7})(?:[.,](?:\d{2}|[-–]))?(?!\d)"#
        ),
        (
            .amount,
            #"(?<![\d.,])(?:\d{1,3}(?:[.,'’ ]\d{3})+|\d{1,7})(?:[.,]\d{2})? ?(?:[€$£¥]|(?:EUR|USD|GBP|CHF|JPY)(?!\p{L}))"#
        ),
        // International; after its mark; with an area code that is set off.
        (.phone, #"\+\d{1,3}[ ./-]?(?:\(0?\d{0,4}\)[ ./-]?)?\d[\d ./-]{4,16}\d"#),
        (
            .phone,
            #"(?:(?<!\p{L})(?i:tel(?:efon|ephone)?|phone|fon|mobile?|mobil|handy|cell|call|sms(?:to)?)(?!\p{L})|[☎📞])[ .:]{0,3}(\(?\d[\d ()./-]{5,18}\d)"#
        ),
        (
            .phone,
            #"(?<![\w.,/+-])(?:0\d{1,4} ?[/-] ?\d[\d -]{3,12}\d|\(\d{2,5}\) ?\d[\d -]{4,12}\d|0\d{2,4} \d{3,}(?: \d{2,})*|\d{3}-\d{3}-\d{4})(?![\w-])"#
        ),
        (
            .address,
            #"(?<!\p{L})(?:\p{Lu}[\p{L}.-]* ){0,2}(?=\p{Lu})[\p{L}.-]*(?i:straße|strasse|str\.|gasse|platz|weg|allee|gürtel) ?\d{1,3}(?!\d)(?:[a-z](?!\p{L}))?(?:[-/]\d{1,3})*(?:,? \d{4,5} \p{Lu}[\p{L}-]+)?"#
        ),
        (
            .address,
            #"(?<![\d\p{L}])\d{1,5}[A-Za-z]? (?:(?:\p{Lu}[\p{L}'’.-]*|\d{1,3}(?:st|nd|rd|th)) ){1,4}(?:Street|St\b\.?|Avenue|Ave\b\.?|Road|Rd\b\.?|Lane|Ln\b\.?|Boulevard|Blvd\b\.?|Drive|Square|Terrace|Court|Row)(?!\p{L})(?:, \p{Lu}[\p{L} '.-]{1,40}(?:,? [A-Z]{2} \d{5})?)?"#
        ),
    ]
}

extension CapturedItem {
    /// Facts of its text, or of the content of its code, but for its own address.
    package var facts: [PrintedFact] {
        guard let code = enrichment.qrContext else { return PrintedFact.all(in: media.transcription ?? "") }
        guard let meaning = code.meaning else { return PrintedFact.all(in: code.payload).filter { $0.text != url } }
        return meaning.facts
    }
}

extension CodeMeaning {
    /// Facts of a contact; empty for other codes.
    fileprivate var facts: [PrintedFact] {
        let kinds: [String: PrintedFact.Kind] = [
            "Phone": .phone, "E-mail": .email, "Website": .web, "Address": .address, "Birthday": .date,
        ]
        return fields.compactMap { field in kinds[field.name].map { PrintedFact($0, field.value) } }
    }
}
