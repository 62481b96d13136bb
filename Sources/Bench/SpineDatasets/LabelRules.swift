public import Basics
import Foundation
package import Imaging

/// Difficulty of a spine, as figures by name; other datasets have words among them, or in their place, which are ignored.
package struct Difficulty: Sendable, Equatable, Codable, ExpressibleByDictionaryLiteral {
    package var byName: [String: Double]

    package init(_ byName: [String: Double]) { self.byName = byName }

    package init(dictionaryLiteral elements: (String, Double)...) { byName = Dictionary(elements) { $1 } }

    package init(from decoder: any Decoder) throws {
        if let located = decoder as? LocatedDecoder {
            byName = located.figures
        } else {
            byName = try .init(from: decoder)
        }
    }

    package func encode(to encoder: any Encoder) throws { try byName.encode(to: encoder) }
}

extension Checker {
    /// Trims a text that has to be there, and adds the fault of one that cannot be printed.
    fileprivate func text(_ text: inout String, mayBeEmpty: Bool = false, mayHaveBreaks: Bool = false) {
        guard isSound else { return }
        text = PlainText.trimmed(text)
        if text.isEmpty && !mayBeEmpty { fault("empty text") }
        if let problem = PlainText.problem(of: text, mayHaveBreaks: mayHaveBreaks) { fault(problem) }
    }

    /// Trims a text that may be missing, as an empty one is.
    fileprivate func text(_ text: inout String?, mayHaveBreaks: Bool = false) {
        guard var given = text else { return }
        self.text(&given, mayBeEmpty: true, mayHaveBreaks: mayHaveBreaks)
        text = given.isEmpty ? nil : given
    }

    fileprivate func texts(_ texts: inout [String]?) {
        guard var given = texts else { return }
        for index in given.indices { self[index].text(&given[index]) }
        texts = given
    }

    /// Adds the fault of a path that leaves the dataset's folder, or has another spelling.
    fileprivate func path(_ path: inout String) {
        text(&path)
        guard isSound, !path.isEmpty else { return }
        let steps = path.split(separator: "/", omittingEmptySubsequences: false)
        if steps[0].isEmpty && steps.count > 1 || steps.contains("..") {
            fault("invalid value \"\(path)\", outside the dataset; expected a path below its folder")
        } else if steps.contains(where: { $0.isEmpty || $0 == "." }) {
            // The digest lists files by path: two spellings of one would be two files.
            fault("invalid value \"\(path)\"; expected a path without empty steps and \".\"")
        }
    }

    fileprivate func positive(_ number: Double?) {
        if let number, isSound, number <= 0 { unexpected("a number above 0") }
    }

    /// Adds the fault of a code that is not of ISO 639, in lower case.
    fileprivate func language(_ code: inout String?) {
        text(&code)
        guard let code, isSound, !Self.languages.contains(code),
            code.count != 3 || !Locale.LanguageCode(code).isISOLanguage
        else { return }
        unexpected("an ISO 639 code of two or three letters, as en or de")
    }

    private static let languages = Set(
        Locale.LanguageCode.isoLanguageCodes.map(\.identifier).filter { (2...3).contains($0.count) }
    )
}

extension Sample: Checked {
    package static var defaults: [String: LocatedNode.Content] { ["legible": .bool(true)] }

    package mutating func check(_ at: Checker) {
        at["id"].text(&id)
        at["image"].path(&image)
        // A misspelt field is found by this.
        if !at["title"].isStated { at["title"].fault("the key is missing; state null when it is not labelled") }
        if var printed = title {
            at["title"].text(&printed)
            title = printed
        }
        at["author"].text(&author)
        at["transcription"].text(&transcription, mayBeEmpty: true, mayHaveBreaks: true)
        at["isbn"].text(&isbn)
        if let isbn, at["isbn"].isSound {
            do throws(ISBN.Fault) { _ = try ISBN(checking: isbn) } catch {
                at["isbn"].fault("invalid value \"\(isbn)\", \(error.rawValue)")
            }
        }
        at["acceptedTitles"].texts(&acceptedTitles)
        at["group"].text(&group)
        at["language"].language(&language)
        at["style"].text(&style)
        at["split"].text(&split)
        at["source"].text(&source)
        at["licence"].text(&licence)
        if difficulty?.byName.isEmpty == true { difficulty = nil }
        if distractor == true {
            if let title {
                at["title"].fault("\"\(title)\", but the picture shows no book (\"distractor\"); expected null")
            }
            legible = false
        } else {
            distractor = nil
        }
        if legible, transcription.isEmpty, at["transcription"].isSound {
            at["transcription"].fault("empty text; label the legible spine, or set \"legible\": false")
        }
    }
}

extension Shelf: Checked {
    package static var defaults: [String: LocatedNode.Content] { ["id": .text("")] }

    package mutating func check(_ at: Checker) {
        at["image"].path(&image)
        at["id"].text(&id, mayBeEmpty: true)
        if id.isEmpty { id = image }
        at["width"].positive(width)
        at["height"].positive(height)
    }
}

extension ShelfBook: Checked {
    package static var defaults: [String: LocatedNode.Content] { ["legible": .bool(true)] }

    package mutating func check(_ at: Checker) {
        at["id"].text(&id)
        at["title"].text(&title)
        at["author"].text(&author)
        at["acceptedTitles"].texts(&acceptedTitles)
        at["transcription"].text(&transcription, mayHaveBreaks: true)
        at["language"].language(&language)
        at["style"].text(&style)
        if difficulty?.byName.isEmpty == true { difficulty = nil }
    }
}

extension LabelledLine: Checked {
    package static var short: (key: String, name: String)? { ("text", "text") }

    package mutating func check(_ at: Checker) {
        at["text"].text(&text)
        at["font"].text(&font)
        at["size"].positive(size)
    }
}

extension LabelOrigin: Checked {
    package static var defaults: [String: LocatedNode.Content] { ["shown": .bool(true)] }

    package mutating func check(_ at: Checker) {
        at["by"].text(&by)
        at["at"].text(&self.at)
        at["proposed"].text(&proposed)
        at["seconds"].positive(seconds)
    }
}

extension PhotoOrigin: Checked {
    package mutating func check(_ at: Checker) {
        at["path"].text(&path)
        // It becomes a part of an address.
        if at["repository"].isSound, repository.wholeMatch(of: /[A-Za-z0-9-]+\/[A-Za-z0-9_-][A-Za-z0-9._-]*/) == nil {
            at["repository"].unexpected("the repository's owner/name on GitHub")
        }
        for (key, digest) in [("commit", commit), ("blob", blob)] {
            if let digest, at[key].isSound, digest.wholeMatch(of: /[0-9a-f]{40}/) == nil {
                at[key].unexpected("40 hexadecimal digits in lower case")
            }
        }
    }
}

extension Quad: Checked {
    package mutating func check(_ at: Checker) { if let problem { at.fault(problem) } }
}

/// Check of labels before they are written, with the rules of the loader.
package enum LabelCheck {
    package static func faults(of sample: Sample) -> [String] { faults(Sample.self, of: SampleLine(sample)) }

    package static func faults(of shelf: Shelf) -> [String] { faults(Shelf.self, of: shelf) }

    private static func faults(_ type: (some Decodable).Type, of labels: some Encodable) -> [String] {
        guard let line = try? JSONLine.encode(labels) else { return ["has a number that JSON cannot represent"] }
        let collector = FaultCollector(file: "", ignoresUnknownKeys: true)
        do throws(Faults) {
            _ = try LocatedDecoder.decode(type, from: try JSONParser.node(Array(line), collector), collector)
            return []
        } catch {
            return error.faults.map { $0.path.isEmpty ? $0.problem : "\($0.path): \($0.problem)" }
        }
    }
}
