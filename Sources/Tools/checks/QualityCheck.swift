import ArgumentParser
import Basics
import Composition
import Foundation
import Imaging
import OpenVINOEngine
import ScanningPipeline
import ScanningPolicies
import SpineDatasets
import SpineReaders
import TextRecognition

/// Memory of the process before a reader is loaded, with it and after it, repeatedly, to see what is given back (S3-28).
struct QualityCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quality",
        abstract: "Check that the memory of the real readers is released.",
        discussion: """
            Loads each reader, reads the spines and unloads it, --cycles times, printing the process's memory each time. The ladder \
            of qualities that loads and unloads them is checked by 'checks ladder'.
            """
    )

    @Option(help: "A dataset's folder.")
    var dataset = "Datasets/spines-1"

    @Option(help: "Number of spines with a title that are read repeatedly.")
    var spines = 60

    @Option(help: "Number of times that each reader is loaded and unloaded.")
    var cycles = 10

    @Option(help: "Output file for all figures.")
    var json: String?

    private struct Report: Encodable {
        struct Memory: Encodable { var cycles: [Cycle] = [] }

        var host = ProcessInfo.processInfo.operatingSystemVersionString
        var processors = ProcessInfo.processInfo.activeProcessorCount
        var memory = Memory()
    }

    private struct Cycle: Encodable {
        var quality: ReadingQuality
        var loadSeconds: Double
        var beforeMegabytes: Double
        var loadedMegabytes: Double
        /// After all spines were read.
        var usedMegabytes: Double
        /// After the reader was released, and before the C library was asked to return the memory that it retains.
        var releasedMegabytes: Double
        var unloadedMegabytes: Double
        /// Share that unloading gave back of what loading and reading took; nil when that took nothing.
        var share: Double?
    }

    func validate() throws {
        try require(spines > 0 && cycles > 0, "Invalid --spines or --cycles: expected more than 0.")
    }

    func run() async throws {
        let options = DecodingOptions(minimumShortSide: SpineScanner.sufficientShortSide)
        let samples = try DatasetLoader().load(dataset).samples.lazy.filter { $0.title != nil }.prefix(spines)
        let images = try samples.map { sample in
            let data = try Data(contentsOf: URL(filePath: "\(dataset)/\(sample.image)"))
            return try ImageCodec.decode([UInt8](data), name: sample.image, options: options).image
        }
        var report = Report()
        for _ in 0..<cycles {
            for quality in [ReadingQuality.high, .medium, .low] {
                let cycle = try await ReaderQueue.run { try Self.cycle(quality, images) }
                report.memory.cycles.append(cycle)
                print(Self.text(cycle))
            }
        }
        if let json { try Data(JSONText.of(report).utf8).write(to: URL(filePath: json)) }
    }

    private static func cycle(_ quality: ReadingQuality, _ images: [RasterImage]) throws -> Cycle {
        func megabytes() -> Double { Double(ResidentMemory.bytes() ?? 0) / 1e6 }
        let before = megabytes()
        let start = ContinuousClock.now
        var reader: (any SpineTextReader)?
        do {
            let loaded = try ReadingSettings(quality).load()
            try loaded.prepare()
            reader = loaded.scanner.reader
        }
        let loadSeconds = start.duration(to: .now) / .seconds(1)
        let loaded = megabytes()
        for image in images { _ = try reader?.read(image) }
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

    private static func text(_ cycle: Cycle) -> String {
        let memory = [
            ("before", cycle.beforeMegabytes), ("loaded", cycle.loadedMegabytes), ("used", cycle.usedMegabytes),
            ("released", cycle.releasedMegabytes), ("unloaded", cycle.unloadedMegabytes),
        ].map { "\($0) \(NumberText.fixed($1, 1))" }
        return "\(cycle.quality.rawValue): loaded in \(NumberText.fixed(cycle.loadSeconds, 2)) s; MB: "
            + memory.joined(separator: ", ") + "; given back \(cycle.share.map(NumberText.percent) ?? "-")"
    }
}
