import Basics
import DeviceSimulation
import Evaluation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import Results

/// E-04, E-05, E-09 and E-12: answers from a run's own records.
@Suite struct BackEndAnswerTests {
    private func ask(
        _ experiment: Experiment,
        _ measurements: [MeasurementResult],
        _ records: [SampleRecord] = []
    ) -> Finding {
        PlantedRun.input([], [], measurements: measurements, records: records).finding(experiment)
    }

    // MARK: E-04

    /// Returns the number of titles read of 100 spines in each category.
    private func accuracy(vertical: Int, inverted: Int = 100, stylized: Int? = 100) -> Finding {
        let counts: [(SampleCategory, Int?)] = [(.vertical, vertical), (.inverted, inverted), (.stylized, stylized)]
        let samples = counts.flatMap { category, count in
            count == nil ? [] : (0..<100).map { Sample.made("\(category)\($0)", category, title: "Volume") }
        }
        let records = counts.flatMap { category, count in
            (0..<(count == nil ? 0 : 100)).map { place in
                var record = PlantedRun.record("accurate", "\(category)\(place)")
                record.prediction?.lines = [.init(text: place < count ?? 0 ? "Volume" : "xxxxxxxx")]
                return record
            }
        }
        return ask(.accuracy, [PlantedRun.measurement("accurate", gates: true, samples: samples, records: records)])
    }

    /// Wilson: 100 of 100 are above 96.3 %, 86 of 100 are 77.9 to 91.5 %, 60 of 100 below 69.1 %.
    @Test(arguments: [
        (100, Finding.Decision.holds, "the contingency is not needed"),
        (86, .undecided, "whether the contingency is needed is open"),
        (60, .doesNotHold, "the contingency is needed"),
    ])
    func theContingencyIsDecidedByIntervals(_ read: Int, _ decision: Finding.Decision, _ words: String) {
        let finding = accuracy(vertical: read)
        #expect(finding.decision == decision && finding.evidence == .measured)
        #expect(finding.answer.hasPrefix("accurate: \(words) (vertical \(read) of 100"))
    }

    @Test func aCategoryThatNobodyReadLeavesItOpen() {
        #expect(accuracy(vertical: 100, stylized: nil).decision == .undecided)
        #expect(accuracy(vertical: 60, stylized: nil).decision == .doesNotHold)
        #expect(ask(.accuracy, []).decision == .undecided)
    }

    // MARK: E-05

    /// Returns a hybrid's answer: text after 100 ms and a place, the picture later by a delay; some spines are named
    /// by one of them alone.
    private func hybrid(
        onlyText: Int = 0,
        onlyPicture: Int = 0,
        neither: Int = 0,
        later: Double = 300,
        textBytes: Int = 400,
        pictureBytes: Int = 20_000,
        failed: Int = 0
    ) -> Finding {
        func records(_ name: String) -> [SampleRecord] {
            PlantedRun.spines.enumerated().map { place, spine in
                let isText = name == "hybrid"
                let isMissed =
                    isText
                    ? (0..<onlyPicture + neither).contains(place)
                    : (onlyPicture..<(onlyPicture + neither + onlyText)).contains(place)
                var record = PlantedRun.record(
                    name,
                    spine.id,
                    enriched: 100 + Double(place) / 10 + (isText ? 0 : later),
                    book: isMissed ? .abstained : .right,
                    up: isText ? ["text": textBytes] : ["image": pictureBytes]
                )
                if isText, place >= 240 - failed {
                    // The judge treats a failed reading like one that named nothing.
                    record.outcome = .failed
                    record.prediction = nil
                    record.book = BookOutcome(.abstained)
                }
                return record
            }
        }
        let (text, picture) = (records("hybrid"), records("talaria-only"))
        return ask(
            .hybrid,
            [
                PlantedRun.measurement("hybrid", ["strategy": "hybrid", "network": "lte"], records: text),
                PlantedRun.measurement(
                    "talaria-only",
                    ["strategy": "talaria-only", "network": "lte"],
                    evidence: .modelled,
                    records: picture
                ),
            ],
            text + picture
        )
    }

    @Test func textThatIsAsGoodAndSoonerAndSmallerHolds() {
        let finding = hybrid()
        #expect(finding.decision == .holds && finding.evidence == .modelled)
        #expect(finding.answer.contains("behind 1 of 1 networks (0.0 points)"))
        #expect(finding.answer.contains("(300.0 ms less)"))
        #expect(finding.answer.contains("400 B at most beside 20.0 kB"))
    }

    /// Text misses 40 of 240 spines that the picture names: 16.7 points.
    @Test func textThatNamesFewerBooksDoesNotHold() {
        let finding = hybrid(onlyPicture: 40)
        #expect(finding.decision == .doesNotHold)
        #expect(finding.answer.contains("behind 0 of 1 networks (-16.7 points)"))
    }

    @Test func textThatIsLaterOrLargerDoesNotHold() {
        #expect(hybrid(later: -50).decision == .doesNotHold)
        #expect(hybrid(textBytes: 30_000).decision == .doesNotHold)
    }

    /// Ten each way are a difference of 0 points, and too many to exclude two.
    @Test func differencesThatBalanceLeaveItOpen() {
        #expect(hybrid(onlyText: 10, onlyPicture: 10).decision == .undecided)
    }

    /// Failed readings named nothing: they stay in the denominator.
    @Test func readingsThatFailedCountAsMissed() {
        let finding = hybrid(failed: 40)
        #expect(finding.decision == .doesNotHold)
        #expect(finding.tables[0].rows[0][2] == "200 of 240 (83.3 %)")
        #expect(finding.tables[0].rows[0][7] == "40")
    }

    @Test func oneOfThemAloneIsNoComparison() {
        let records = [PlantedRun.record("hybrid", "v0", enriched: 1)]
        let finding = ask(
            .hybrid,
            [PlantedRun.measurement("hybrid", ["strategy": "hybrid"], records: records)],
            records
        )
        #expect(finding.decision == .undecided && finding.answer.hasPrefix("Not answered: "))
    }

    // MARK: E-09

    /// Returns 240 scans: some are deferred, and of those some answered or waiting at the end; others are lost.
    private func outages(
        queued: Int = 60,
        drained: Int = 50,
        waiting: Int = 10,
        nowhere: Int = 0,
        died: Int = 0,
        text: Double = 50,
        outages: String = "0.25"
    ) -> Finding {
        let records = PlantedRun.spines.enumerated().map { place, spine in
            let isQueued = place < queued
            let isNowhere = (queued..<(queued + nowhere)).contains(place)
            var record = PlantedRun.record(
                "hybrid",
                spine.id,
                enriched: isQueued || isNowhere ? nil : text + 100,
                text: text,
                isQueued: isQueued,
                drained: place == 239 ? drained : nil,
                waiting: place == 239 ? waiting : 0
            )
            if (queued..<(queued + died)).contains(place) {
                (record.outcome, record.prediction) = (.workerDied, nil)
            }
            return record
        }
        let settings = ["strategy": "hybrid", "outages": outages]
        return ask(.outages, [PlantedRun.measurement("hybrid", settings, evidence: .modelled, records: records)])
    }

    @Test func scansThatAreKeptAndTextsInTimeHold() {
        let finding = outages()
        #expect(finding.decision == .holds && finding.evidence == .modelled)
        #expect(
            finding.answer.hasPrefix(
                "None of 240 scans are lost: 180 came to their end, 50 of the 60 that were kept for later were answered later, "
                    + "and 10 wait at the end"
            )
        )
    }

    @Test(arguments: [(50, 9, 0, 0, 1), (50, 10, 2, 0, 2), (50, 10, 0, 3, 3)])
    func aScanThatIsNowhereIsLost(_ drained: Int, _ waiting: Int, _ nowhere: Int, _ died: Int, _ lost: Int) {
        let finding = outages(drained: drained, waiting: waiting, nowhere: nowhere, died: died)
        #expect(finding.decision == .doesNotHold)
        #expect(finding.answer.hasPrefix("\(lost) of 240 scans"))
        #expect(finding.tables[0].rows[0][8] == "\(lost)")
    }

    @Test func aLateTextDoesNotHold() {
        #expect(outages(text: 800).decision == .doesNotHold)
    }

    @Test func withoutAnOutageThereIsNoAnswer() {
        #expect(outages(outages: "0").decision == .undecided)
        #expect(ask(.outages, []).answer.hasPrefix("Not answered: "))
    }

    // MARK: E-12

    private func privacy(_ strategy: String, _ up: [String: Int]?, uncounted: Int = 0) -> Finding {
        let records = PlantedRun.spines.prefix(20).enumerated().map { place, spine in
            PlantedRun.record("variant", spine.id, up: place < uncounted ? nil : up)
        }
        return ask(.privacy, [PlantedRun.measurement("variant", ["strategy": strategy], records: records)])
    }

    @Test func whatSendsNothingHasTheBadge() {
        let finding = privacy("on-device-only", [:])
        #expect(finding.decision == .holds && finding.evidence == .reported)
        #expect(finding.answer == "variant sends nothing a scan.")
        #expect(finding.tables[0].rows[0].last == "🔒 Processing Locally")
    }

    @Test func oneByteFailsThePrivacyCheck() {
        let finding = privacy("on-device-only", ["id": 1])
        #expect(finding.decision == .doesNotHold)
        #expect(finding.answer == "variant sends 1 B of id a scan, though it claims to send nothing.")
        #expect(finding.tables[0].rows[0].last == "⚠️ Privacy Check Failed")
    }

    @Test func textIsAllThatHybridMaySend() {
        let finding = privacy("hybrid", ["text": 60, "control": 300])
        #expect(finding.decision == .holds)
        #expect(finding.answer == "variant sends 60 B of text, 300 B of control a scan.")
        #expect(privacy("hybrid", ["text": 60, "image": 9_000]).decision == .doesNotHold)
    }

    @Test func whatWasNotCountedDecidesNothing() {
        #expect(privacy("on-device-only", nil).decision == .undecided)
        #expect(privacy("on-device-only", [:], uncounted: 1).decision == .undecided)
        // A counted byte counts, whatever was not counted.
        #expect(privacy("on-device-only", ["id": 1], uncounted: 1).decision == .doesNotHold)
        // A variant that sends pictures on purpose makes no claim.
        #expect(privacy("talaria-only", ["image": 9_000]).decision == .undecided)
    }
}
