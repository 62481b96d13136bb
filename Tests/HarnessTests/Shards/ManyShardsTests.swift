import Basics
import Foundation
import TestSupport
import Testing

@testable import Harness
@testable import Results

/// A merge of 64 shards with a hundred thousand samples and more.
@Suite(.inTurns) struct ManyShardsTests {
    /// Whether a text is read hangs on a sample's number, so that the number of titles read is known beforehand.
    ///
    /// Measured, 100,000 samples times `SPINEBENCH_SIZE`: 5 s up to 640,000 samples and 60 s for each million of more; 1 GB
    /// with the merged run.
    @Test func aMergeCountsWhatWasMade() throws {
        let folder = try TemporaryFolder()
        let samples = TestSize.isMeasured ? 100_000 * TestSize.factor : 6_400
        let made = try MadeShards(samples: samples, shards: 64, in: folder.path)
        let isPeakKnown = ProcessMemory.resetPeak()
        let start = ContinuousClock.now
        try FileManager.default.createDirectory(atPath: folder("merged"), withIntermediateDirectories: true)
        try ShardMerge(try ShardSet(made.folders)).write(to: folder("merged"))
        let seconds = start.duration(to: .now) / .seconds(1)
        let read = try StreamedRun(folder("merged")).results.first?.categories.first?.accuracy.titleRead
        let megabytes = Double(ProcessMemory.current()?.resident?.peak ?? 0) / 1e6
        #expect(read?.successes == made.titlesRead && read?.trials == samples)
        guard TestSize.isMeasured else { return }
        print("\(samples) samples merged in \(seconds) s, \(megabytes) MB at most")
        #expect(seconds <= (samples <= 640_000 ? 5 : 60 * Double(samples) / 1e6))
        #expect(!isPeakKnown || megabytes <= 1_000)
    }
}
