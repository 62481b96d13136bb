import Basics
import Imaging
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness

/// No row passes for any reading: for every target that gates, the worst readings are planted and have to miss it.
@Suite(.tags(.unit)) struct WorstRunTests {
    static let gating = Claim.standard.filter(\.gates)

    private static let samples = SampleCategory.allCases.flatMap { category in
        (0..<30).map { Sample.made("\(category.rawValue)\($0)", category) }
    }

    /// Reads nothing and takes an hour, names wrong books, holds 10 GB, and sends a megabyte.
    private static func record(_ sample: Sample, of tier: String, timesOut: Bool) -> SampleRecord {
        var record = PlantedRun.record(tier, sample.id, book: .wrong)
        let hour = 3_600_000.0
        record.milliseconds = hour
        record.memory = .made(footprint: 10_000_000_000, peak: 10_000_000_000)
        var prediction = Prediction(lines: [.init(text: "")])
        prediction.milestones = ["draft": hour, "prepared": hour, "text": hour, "enriched": 2 * hour]
        prediction.traffic = Traffic(up: ["image": 1_000_000], wireUp: 1_000_000)
        prediction.gesture = .init(readings: 6, repeatMilliseconds: [hour])
        // Each spine that a camera is aimed at gives two scans, one of them of a wrong book.
        (prediction.scans, record.wrongScans) = (2, 1)
        record.prediction = prediction
        if tier.hasPrefix("shelf") { record.shelf = shelf }
        // Books outside the catalogue get a name all the same.
        if sample.category != .vertical { record.book?.isCatalogued = false }
        if timesOut { (record.outcome, record.milliseconds, record.prediction) = (.timedOut, nil, nil) }
        return record
    }

    /// Shelf with one book, not read, named as another and found as ten slivers that hold two books each.
    private static let shelf: ShelfScore = {
        var score = ShelfScore(
            books: [nil],
            spines: [],
            isNamed: { _ in false },
            isRight: { _, _ in false }
        )
        score.books = [true, false].map { isNamed in
            ShelfScore.Book(number: 0, isNamed: isNamed, isRead: false, isSplit: true, overlap: 0)
        }
        score.spines = (0..<10).map { _ in ShelfScore.Spine(outcome: .wrong, isMerged: true, isSliver: true) }
        (score.labelled, score.moved) = (1, 1)
        return score
    }()

    private static func row(_ target: Claim, isPhone: Bool, timesOut: Bool = false) throws -> Answer {
        let tier = target.tier ?? "fast"
        var variant = Variant(name: tier, tier: tier, gates: true, settings: [:])
        if tier.hasPrefix("shelf") { variant.subject = .shelves }
        // A tenth of the readings, as some have to finish for the rest to be late.
        let records = samples.enumerated().map { place, sample in
            record(sample, of: tier, timesOut: timesOut && place % 10 == 0)
        }
        let scenario = Scenario(kind: [.oneScan, .wrongScan].contains(target.metric) ? .live : .single)
        let began = RunEvent(kind: .began, memory: .made(footprint: 1, peak: 1), peakWasReset: true)
        var result = MeasurementResult.made(variant, scenario: scenario, samples: samples, records, events: [began])
        if scenario.kind == .live {
            result.findings = ScenarioFindings(scenario, records: records, events: [])
        }
        let judge = Judge(measurements: [result], host: .made(isPhone: isPhone ? true : nil))
        return try #require(judge.compliance(with: [target]).first)
    }

    @Test(arguments: gating)
    func theWorstReadingsMissEveryTargetThatGates(_ target: Claim) throws {
        let row = try Self.row(target, isPhone: true)
        #expect(row.gates && row.judgement.verdict == .fail, "\(target): \(row.value) \(row.judgement)")
        #expect(try #require(row.margin) < 0)
    }

    /// A limit in milliseconds is a phone's: elsewhere nothing passes or misses by it, but a reading that never ends
    /// misses it.
    @Test(arguments: gating)
    func onAnotherMachineAPhonesLimitDecidesNothing(_ target: Claim) throws {
        let row = try Self.row(target, isPhone: false)
        guard target.metric?.unit == .milliseconds else {
            #expect(target.machine == nil && row.gates && row.judgement.verdict == .fail)
            return
        }
        #expect(target.machine == .phone && !row.gates && row.judgement.verdict == .inconclusive)
        #expect(row.judgement.note == "a phone's limit; measured on Example CPU, 2 cores")
        let late = try Self.row(target, isPhone: false, timesOut: true)
        guard let percent = target.metric?.percent, ![.repeatP95, .enrichmentP95].contains(target.metric) else {
            return
        }
        #expect(late.gates == (percent > 90) && (!late.gates || late.judgement.verdict == .fail))
    }

    /// 0.85 · 62 is 52.7: 53 are met by one title, and 52 miss by one.
    ///
    /// At 0.9 exactly, of 10, nine are met by one.
    @Test(arguments: [
        (53, 62, 0.85, Bound.Comparator.atLeast, 1.0), (52, 62, 0.85, .atLeast, -1), (62, 62, 0.85, .atLeast, 10),
        (9, 10, 0.9, .atLeast, 1), (0, 10, 0.9, .atLeast, -9), (2, 100, 0.02, .atMost, 1), (5, 100, 0.02, .atMost, -3),
        (1, 100, 0.02, .below, 1),
    ])
    func theDistanceOfAShareIsInSamples(
        _ successes: Int,
        _ trials: Int,
        _ limit: Double,
        _ comparator: Bound.Comparator,
        _ margin: Double
    ) {
        let rate = RateEstimate(
            (0..<trials).map { $0 < successes },
            groups: [String?](repeating: nil, count: trials)
        )
        let claim = Claim(source: "T", metric: .titleRead, comparator: comparator, limit: limit)
        var row = Answer(open: claim, "m", because: "")
        (row.value, row.rate) = (rate.rate, rate)
        #expect(row.margin == margin)
    }
}
