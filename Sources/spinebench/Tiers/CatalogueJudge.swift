import BenchmarkHarness
import BookCatalogue
import Evaluation
import Foundation
import SpineDatasets
import Synchronization

/// Says whether the right book was named, and whether a variant's catalogue has it.
///
/// Right is a book whose main title is the labelled one and whose author shares a surname (`BookIdentity`).
final class CatalogueJudge: Sendable {
    private let catalogues: [String: BookCatalogue]
    private let known = Mutex<[String: Bool]>([:])

    /// - Parameter variants: those that name books are judged, each by its own catalogue.
    /// - Throws: when a catalogue cannot be opened.
    init(_ variants: [Variant]) throws {
        let names = Set(variants.compactMap { TierSettings.areMeant(by: $0.settings) ? $0.settings["catalogue"] : nil })
        catalogues = try Dictionary(uniqueKeysWithValues: names.map { ($0, try CatalogueFile.open($0)) })
    }

    /// What the harness asks.
    var judge: BookJudge { BookJudge { self.outcome($0, $1, $2) } }

    private func outcome(_ variant: Variant, _ sample: Sample, _ prediction: Prediction?) -> BookOutcome? {
        guard let name = variant.settings["catalogue"], let catalogue = catalogues[name], let title = sample.title,
            !title.isEmpty
        else { return nil }
        func isRight(_ book: BookCandidate) -> Bool {
            let record = BookRecord(title: book.title, authors: book.authors)
            return BookIdentity.isSame(record, title: title, author: sample.author)
        }
        guard let isCatalogued = isCatalogued(title, sample.author, name, catalogue) else { return nil }
        let answer: BookOutcome.Answer = prediction?.answer.map { isRight($0) ? .right : .wrong } ?? .abstained
        let rank = (prediction?.books ?? []).firstIndex(where: isRight).map { $0 + 1 }
        return BookOutcome(answer, rank: rank, isCatalogued: isCatalogued)
    }

    /// Nil when the catalogue cannot be read.
    private func isCatalogued(_ title: String, _ author: String?, _ name: String, _ catalogue: BookCatalogue) -> Bool? {
        let key = "\(name)\n\(title)\n\(author ?? "")"
        if let answer = known.withLock({ $0[key] }) { return answer }
        // A title without its subtitle finds those with one; what is found is compared as answers are.
        let main = title.split(separator: ":").first.map(String.init) ?? title
        guard let found = try? catalogue.search(main, limit: 200) else { return nil }
        let answer = found.contains { BookIdentity.isSame($0, title: title, author: author) }
        known.withLock { $0[key] = answer }
        return answer
    }
}
