import Composition
import Foundation
import OpenVINOEngine
import ScanningPipeline
import ScanningPolicies
import SpineReaders
import TextRecognition

/// Memory of the process before a reader is loaded, with it, after it, and so on again, to see what is given back.
struct MemoryCheck: Encodable {
    struct Cycle: Encodable {
        var quality: ReadingQuality
        var loadSeconds: Double
        var beforeMegabytes: Double
        var loadedMegabytes: Double
        /// After all spines were read.
        var usedMegabytes: Double
        /// After it was let go, and before the C library was asked to give back what it keeps.
        var releasedMegabytes: Double
        var unloadedMegabytes: Double
        /// Share that unloading gave back of what loading and reading took; nil when that took nothing.
        var share: Double?
    }

    var cycles: [Cycle] = []

    /// - Parameters:
    ///   - spines: read in every cycle.
    ///   - count: of the cycles at each quality.
    ///   - qualities: one after the other, in each cycle.
    /// - Throws: when a reader cannot be loaded, or fails.
    init(_ spines: Spines, count: Int, qualities: [ReadingQuality]) async throws {
        for _ in 0..<count {
            for quality in qualities {
                let cycle = try await ReaderQueue.run { try Self.cycle(quality, spines) }
                cycles.append(cycle)
                say(cycle.text)
            }
        }
    }

    private static func cycle(_ quality: ReadingQuality, _ spines: Spines) throws -> Cycle {
        let before = megabytes()
        let start = ContinuousClock.now
        var reader: (any SpineTextReader)? = try Readers.load(quality)
        let loadSeconds = start.duration(to: .now) / .seconds(1)
        let loaded = megabytes()
        for spine in spines.all { _ = try reader?.read(spine.image) }
        let used = megabytes()
        reader = nil
        let released = megabytes()
        OpenVINOEngine.giveBackMemory()
        let unloaded = megabytes()
        return Cycle(
            quality: quality,
            loadSeconds: loadSeconds,
            beforeMegabytes: before,
            loadedMegabytes: loaded,
            usedMegabytes: used,
            releasedMegabytes: released,
            unloadedMegabytes: unloaded,
            share: used > before ? (used - unloaded) / (used - before) : nil
        )
    }

    static func megabytes() -> Double { Double(ResidentMemory.bytes() ?? 0) / 1e6 }
}

extension MemoryCheck.Cycle {
    var text: String {
        String(
            format: "%6@  loaded in %.2f s   before %6.1f MB  loaded %6.1f  used %6.1f  released %6.1f  unloaded %6.1f"
                + "  released %@",
            quality.rawValue as NSString,
            loadSeconds,
            beforeMegabytes,
            loadedMegabytes,
            usedMegabytes,
            releasedMegabytes,
            unloadedMegabytes,
            (share.map { String(format: "%.0f %%", 100 * $0) } ?? "-") as NSString
        )
    }
}

/// The real readers.
enum Readers {
    /// Loads one, with all that its first reading would otherwise load.
    static func load(_ quality: ReadingQuality) throws -> any SpineTextReader {
        let reader = try ReadingSettings(quality).load()
        try reader.prepare()
        return reader.scanner.reader
    }
}
