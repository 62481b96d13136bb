import Basics
import Documents
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import Harness
@testable import Reports

@Suite(.tags(.unit)) struct RunResultTests {
    /// Returns the result of a variant that reads `read` of `count` titles, in one repetition.
    private func result(
        read: Int,
        of count: Int,
        category: SampleCategory = .vertical,
        gates: Bool = true,
        peakBytes: Int = 150_000_000,
        milliseconds: Double = 12,
        illegible: Int = 0,
        problem: String? = nil
    ) throws -> RunResult {
        let samples =
            (0..<count).map { Sample.made("s\($0)", category, title: "Title") }
            + (0..<illegible).map { Sample.made("i\($0)", category, title: "Title", legible: false) }
        // Limits in milliseconds are a phone's.
        var phone = HostDescription.current()
        phone.isPhone = true
        return try MadeRun(
            samples,
            [Variant(name: "fast", tier: "fast", gates: gates)],
            milliseconds: milliseconds,
            host: phone
        ) { record, _ in
            record.prediction?.lines[0].text = record.position < read ? "TITLE" : "?"
            record.memory = .made(footprint: 100_000_000, peak: peakBytes)
            if problem != nil { (record.outcome, record.prediction, record.problem) = (.failed, nil, problem) }
        }.result()
    }

    @Test func everythingMetIsAPass() throws {
        let result = try result(read: 95, of: 100)
        #expect(result.verdict == .pass)
        #expect(result.exitCode == 0)
        #expect(VerdictText(result).sentence == "All gating targets (5) are met.")
    }

    @Test func oneTargetMissedIsAFail() throws {
        let slow = try result(read: 95, of: 100, milliseconds: 60)
        #expect(slow.exitCode == 1)
        #expect(
            VerdictText(slow).sentence
                == "1 of 5 gating targets missed: fast: time to text P95 (60.0 ms, target < 50 ms on a phone)."
        )
        #expect(try result(read: 95, of: 100, peakBytes: 200_000_000).exitCode == 1)
        #expect(try result(read: 84, of: 100).exitCode == 1)
        // Exactly the target passes.
        #expect(try result(read: 85, of: 100).exitCode == 0)
    }

    /// It misses, without a share that would look like a measured one.
    @Test func aVariantThatReadsNothingHasNoShares() throws {
        let result = try result(read: 0, of: 100, problem: "no model")
        #expect(result.exitCode == 4 && result.verdict == .fail)
        #expect(result.failures == ["100 of 100 readings failed: no model"] && result.warnings.isEmpty)
        let row = try #require(result.compliance.first { $0.metric == .titleRead })
        #expect(row.value == .absent("nothing was read") && row.rate == nil && row.judgement.verdict == .fail)
        // The counts stay: every sample is in the denominator.
        #expect(result.measurements[0].all.rate(.titleRead).proportion == Proportion(successes: 0, trials: 100))
        #expect(RunPlots(result).bars.allSatisfy { !$0.title.hasPrefix("Title read") })
        #expect(!RunFigure.all(of: result).contains { $0.metric == "title-read" && $0.value != nil })
        // Its limit is missed by another one that reads: that is told first.
        var both = result
        both.compliance.append(try self.result(read: 84, of: 100).compliance.first { $0.metric == .titleRead }!)
        both.compliance[both.compliance.count - 1].measurement = "other"
        #expect(both.exitCode == 1)
    }

    @Test func tooFewReadingsAreInconclusive() throws {
        let result = try result(read: 80, of: 80)
        #expect(result.verdict == .inconclusive)
        #expect(result.exitCode == 3)
    }

    @Test func withoutAGatingVariantThereIsNoVerdict() throws {
        let result = try result(read: 10, of: 100, gates: false)
        #expect(result.verdict == nil)
        // Nothing was to be decided, and its figures count.
        #expect(result.exitCode == 0)
        var invalid = result
        invalid.measurements[0].validity = [ValidityRule("workers lost", required: "0", seen: "1", isMet: false)]
        #expect(invalid.exitCode == 3)
    }

    @Test(arguments: [0, 1])
    func oneReadingDecidesNothing(read: Int) throws {
        let result = try result(read: read, of: 1, peakBytes: 900_000_000, milliseconds: 5_000)
        #expect(result.verdict == .inconclusive)
        #expect(result.compliance.allSatisfy { $0.judgement.verdict == .inconclusive || $0.evidence == .claimed })
        #expect(result.compliance[0].judgement.note == "invalid: readings for P95: required ≥ 90, measured 1")
    }

    @Test func oneSpineDecidesNothingHoweverOftenItIsRead() {
        let target = Bound(.below, 50)
        let one = LatencySummary(milliseconds: Array(repeating: 60, count: 200), timeouts: 0, samples: 1)
        #expect(one.judgement(of: 95, against: target, rule: .point).verdict == .inconclusive)
        // Of 19 spines none may be among the slowest 5 %.
        for (samples, verdict) in [(19, Verdict.inconclusive), (20, .fail)] {
            let few = LatencySummary(milliseconds: Array(repeating: 60, count: 200), timeouts: 0, samples: samples)
            #expect(few.judgement(of: 95, against: target, rule: .point).verdict == verdict)
        }
        let share = Bound(.atLeast, 0.85)
        // Wilson's interval of 0 of 1 ends at 0.79, below the target: and yet it is one spine.
        let rate = RateEstimate([false], groups: [nil])
        // n / (n + 1.96²) ≥ 0.85 from 22 on.
        let note = "one spine is not enough (needs ≥ 22)"
        #expect(Judgement.of(rate, against: share, rule: .point) == Judgement(.inconclusive, note: note))
    }

    @Test func aCategoryThatTheDatasetLacksDoesNotGate() throws {
        let rows = try result(read: 95, of: 100).compliance.filter { $0.claim.category == "inverted" }
        #expect(rows.count == 1)
        #expect(rows[0].gates == false)
        #expect(rows[0].judgement.verdict == .inconclusive)
    }

    @Test func illegibleSpinesAreTimedAndNotScored() throws {
        let all = try result(read: 90, of: 90, illegible: 10).measurements[0].all
        #expect(all.samples == 100)
        #expect(all.latency.count == 100)
        #expect(all.rate(.titleRead).proportion == Proportion(successes: 90, trials: 90))
    }

    @Test func aRateIsPooledOverTheSpines() {
        let long = SampleScore("abcdefgh", against: .made("a", title: "abcdefghij"))
        let short = SampleScore("", against: .made("b", title: "xy"))
        // 2 of 10 characters and 2 of 2 are missing: 4/12 pooled, (0.2 + 1) / 2 as a mean.
        let figures = Figures(scores: [long, short])
        #expect(figures.values[.characterErrors] == Value(.value(4.0 / 12), count: 4, total: 12))
    }

    @Test func aPublisherIsReadWhereOneIsLabelled() throws {
        var sample = Sample.made("a", title: "Title")
        sample.lines = [
            LabelledLine(text: "Title", role: .title), LabelledLine(text: "ALLEN", role: .publisher),
            LabelledLine(text: "LANE", role: .publisher),
        ]
        let texts = ["TITLE ALLENLANE", "TITLE LANE"]
        let scores = texts.map { SampleScore($0, against: sample) } + [SampleScore("", against: .made("b"))]
        #expect(Figures(scores: scores).rate(.publisherRead).proportion == Proportion(successes: 1, trials: 2))
        let sides = texts.reversed().map { text in
            var record = SampleRecord(measurement: "x", repetition: 1, position: 0, id: "a", outcome: .read)
            record.prediction = Prediction(lines: [.init(text: text)])
            return ReadingSet(name: "x", samples: [sample], records: [record])
        }
        let row = SidePair(
            sides[0],
            sides[1],
            noise: NoiseFloor(unmeasured: sides[0]),
            tolerances: try .parse("publisher-read=2")
        ).overall.first { $0.metric == .publisherRead }
        #expect(row?.note.hasPrefix("1 sample, 0 lost, 1 gained") == true && row?.tolerance == 0.02)
    }

    @Test func textsThatChangeBetweenRepetitionsAreCounted() throws {
        let samples = [Sample.made("a"), .made("b")]
        let records = ["one", "two"].enumerated().flatMap { repetition, text in
            samples.map { sample in
                SampleRecord(
                    measurement: "t",
                    repetition: repetition + 1,
                    position: 0,
                    id: sample.id,
                    outcome: .read,
                    milliseconds: 1,
                    prediction: Prediction(lines: [.init(text: sample.id == "a" ? text : "same")])
                )
            }
        }
        let dataset = DatasetReference(path: "", name: "d", digest: "")
        let result = MeasurementResult(
            Measurement(variant: Variant(name: "t"), scenario: Scenario(kind: .single), dataset: dataset, id: "t"),
            samples: samples,
            planned: 4,
            records: records,
            events: []
        )
        #expect(result.unstableSamples == 1)
    }
}

extension Figures {
    /// The figures of samples of which only the scores are known.
    fileprivate init(scores: [SampleScore]) {
        var fold = FigureFold()
        for (number, score) in scores.enumerated() {
            var reading = Reading(.made("\(number)"), nil)
            reading.score = score
            fold.add(reading)
        }
        self = fold.figures()
    }
}
