import Basics
import Evaluation
import Foundation
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Harness

/// A merge of 64 parts with a hundred thousand readings and more, and its figures.
@Suite(.inTurns) struct ManyReadingsTests {
    /// Whether a title is read depends on a sample's number, so that the number of titles read is known beforehand.
    ///
    /// Measured, 100,000 readings times `SPINEBENCH_SIZE`: 640,000 within 60 s and 2 GB.
    @Test func aMergeCountsWhatWasMade() throws {
        let folder = try TemporaryFolder()
        let count = TestSize.isMeasured ? 100_000 * TestSize.factor : 1_280
        let samples = (0..<count).map {
            Sample.made("spine-\($0)", title: "Winter Harbour \($0)", group: "photo \($0 / 10)")
        }
        var run = MadeRun(samples) { record, sample in
            // Of each ten samples, which are of one photo, the third has other words.
            if sample.id.hasSuffix("3") { record.prediction = Prediction(lines: [.init(text: "Summer")]) }
        }
        var folders: [String] = []
        let byPart = Dictionary(grouping: run.records.indices) { index in
            Part.number(ofGroup: samples[index].indivisibleGroup, count: 64)
        }
        for part in Part.all(of: 64) {
            folders.append(folder("part \(part.number)"))
            let written = try RunFolder.begin(part, of: run.configuration, at: folders[part.number - 1])
            for index in byPart[part.number] ?? [] { try written.append(run.records[index]) }
            try written.append(RunEvent(kind: .runFinished))
        }
        run.records = []
        let isPeakKnown = ProcessMemory.resetPeak()
        let start = ContinuousClock.now
        try RunMerge(folders).write(over: [run.dataset], to: folder("merged"))
        let merged = start.duration(to: .now) / .seconds(1)
        let result = try RunContents(folder("merged"), RunFolder.contents(folder("merged")), [run.dataset]).result
        let seconds = start.duration(to: .now) / .seconds(1) - merged
        let megabytes = Double(ProcessMemory.current()?.resident?.peak ?? 0) / 1e6
        let read = try #require(result.measurements.first?.all.rate(.titleRead))
        #expect(read.successes == count - count / 10 && read.trials == count && !result.isPartial)
        guard TestSize.isMeasured else { return }
        print("\(count) readings merged in \(merged) s, read and folded in \(seconds) s, \(megabytes) MB at most")
        #expect(count > 640_000 || seconds <= 60)
        #expect(!isPeakKnown || count > 640_000 || megabytes <= 2_000)
    }
}
