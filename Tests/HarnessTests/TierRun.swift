import Basics
import Evaluation
import SpineDatasets
import TestSupport

@testable import Harness

/// A run made up by hand of variants that name books: `hybrid` sends text, `upload` pictures over a shaped network.
///
/// `hybrid` names 22 of the 24 books that its catalogue has, one of them wrongly, and keeps two scans for later; of
/// the six books that the catalogue has not, it names one, and of another it makes a draft. `upload` names all 24.
enum TierRun {
    static let samples = (0..<30).map { Sample.made("v\($0)", title: "Volume \($0)", author: "Jane Doe") }

    private static let run = {
        let catalogue = CatalogueReference(
            name: "embedded",
            books: 12_089,
            booksWithISBN: 11_962,
            digest: "fnv1a64:00"
        )
        var run = MadeRun(
            samples,
            [
                Variant(name: "hybrid", tier: "hybrid", gates: true, catalogue: catalogue),
                Variant(name: "upload", tier: "upload", gates: true, evidence: .modelled),
            ],
            tool: "spinebench 0.1.0",
            targets: Claim.standard + [
                Claim(source: "test", metric: .identified, comparator: .atLeast, limit: 0.85),
                Claim(source: "test", metric: .falseMatch, comparator: .atMost, limit: 0.01, gates: false),
                Claim(source: "test", metric: .timeToDraftP95, tier: "hybrid", comparator: .below, limit: 20),
            ],
            repetitions: 4,
            host: GoldenRun.host
        )
        run.records = (1...4).flatMap { repetition in
            samples.indices.flatMap { [hybrid($0, repetition), upload($0, repetition)] }
        }
        for variant in run.configuration.variants {
            run.events += [RunEvent.Kind.ready, .began, .measured].map {
                RunEvent(kind: $0, time: "2026-03-01T12:00:01Z", measurement: variant.name)
            }
        }
        return run
    }()

    static let (dataset, configuration, records) = (run.dataset, run.configuration, run.records)

    private static func candidate(_ position: Int) -> BookCandidate {
        BookCandidate(title: "Volume \(position)", authors: ["Jane Doe"], confidence: 0.9)
    }

    private static func record(
        _ measurement: String,
        _ position: Int,
        _ repetition: Int,
        _ milliseconds: Double
    ) -> SampleRecord {
        .made(
            measurement,
            "v\(position)",
            "Volume \(position) Jane Doe",
            milliseconds: milliseconds,
            repetition: repetition,
            position: position,
            memory: .made(footprint: 152_000_000, peak: 171_300_000)
        )
    }

    private static func hybrid(_ position: Int, _ repetition: Int) -> SampleRecord {
        var record = record("hybrid", position, repetition, 60 + Double(position))
        let isQueued = position < 2
        let isCatalogued = position < 24
        let names = isCatalogued ? !isQueued : position == 24
        var milestones = ["draft": 12 + Double(position) / 10, "text": 30 + Double(position)]
        if !isQueued { milestones["enriched"] = 60 + Double(position) }
        record.prediction?.milestones = milestones
        record.prediction?.books = names ? [candidate(position)] : []
        record.prediction?.answer = names ? candidate(position) : nil
        record.prediction?.path = ["fast", "enrich"]
        record.prediction?.isQueued = isQueued
        record.prediction?.waiting = isQueued ? 1 : position == 2 ? 1 : 0
        if position == 2 || position == 3 { record.prediction?.drained = 1 }
        record.prediction?.traffic = Traffic(
            up: ["text": 60, "id": 40, "control": 300],
            down: ["text": 500, "control": 200],
            wireUp: 450,
            wireDown: 760
        )
        var answer: BookOutcome.Answer = !names ? .abstained : isCatalogued && position != 5 ? .right : .wrong
        if position == 25 {
            answer = .draft
            record.prediction?.answer = BookCandidate(title: "VOLUME 25")
            record.prediction?.answer?.isDraft = true
        }
        record.book = BookOutcome(
            answer,
            rank: answer == .right ? 1 : position == 5 ? 3 : nil,
            isCatalogued: isCatalogued
        )
        return record
    }

    private static func upload(_ position: Int, _ repetition: Int) -> SampleRecord {
        var record = record("upload", position, repetition, 600 + Double(position))
        record.prediction?.milestones = ["prepared": 25, "text": 599, "enriched": 600 + Double(position)]
        record.prediction?.path = ["upload"]
        record.prediction?.traffic = Traffic(up: ["image": 90_000, "control": 400], wireUp: 91_000, wireDown: 2_000)
        let isCatalogued = position < 24
        record.prediction?.books = isCatalogued ? [candidate(position)] : []
        record.prediction?.answer = isCatalogued ? candidate(position) : nil
        record.book = BookOutcome(
            isCatalogued ? .right : .abstained,
            rank: isCatalogued ? 1 : nil,
            isCatalogued: isCatalogued
        )
        return record
    }

    static func result() throws -> RunResult { try run.result() }

    static func contents() throws -> RunContents { try run.contents("tiers") }

    /// Returns the result with other targets and readings.
    static func result(_ targets: [Claim], _ records: [SampleRecord]? = nil) throws -> RunResult {
        var changed = run
        changed.configuration.targets = targets
        if let records { changed.records = records }
        changed.events.removeLast(6)
        return try changed.result()
    }
}
