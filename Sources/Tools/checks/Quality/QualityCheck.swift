import ArgumentParser
import Evaluation
import Foundation
import Imaging
import ScanningPolicies
import SpineDatasets
import TextRecognition

/// The degradation ladder on the real readers, and the memory that they give back (E-15, S3-28).
struct QualityCheck: AsyncParsableCommand {
    /// Half of the check.
    enum Mode: String, CaseIterable, ExpressibleByArgument { case memory, ladder }

    static let configuration = CommandConfiguration(
        commandName: "quality",
        abstract: "Check the degradation ladder with the real readers, and that their memory is released.",
        discussion: """
            memory: loads each reader, reads the spines and unloads it, --cycles times, printing the process's memory each time.
            ladder: measures each quality, then slows the readers down, sends memory warnings, heats the device and drains the battery by \
            script, and prints the ladder's reactions.
            """
    )

    @Argument(help: "Check to run. (default: both)")
    var modes: [Mode] = []

    @Option(help: "A dataset's folder.")
    var dataset = "Datasets/spines-1"

    @Option(help: "Number of spines with a title that are read repeatedly.")
    var spines = 60

    @Option(help: "Number of times that each reader is loaded and unloaded.")
    var cycles = 10

    @Option(help: "The ladder's quiet time in seconds; 30 in the app.")
    var quiet = 5

    @Option(help: "Seconds of each fault.")
    var fault = 15

    @Option(help: "Only faults whose names contain this, such as 'memory' (repeatable).")
    var only: [String] = []

    @Option(help: "Output file for all figures.")
    var json: String?

    private struct Report: Encodable {
        var host = ProcessInfo.processInfo.operatingSystemVersionString
        var processors = ProcessInfo.processInfo.activeProcessorCount
        var memory: MemoryCheck?
        var ladder: LadderCheck?
    }

    func validate() throws {
        guard [spines, cycles, quiet, fault].allSatisfy({ $0 > 0 }) else {
            throw ValidationError("Invalid --spines, --cycles, --quiet or --fault: expected more than 0.")
        }
    }

    func run() async throws {
        let modes = modes.isEmpty ? Mode.allCases : modes
        var report = Report()
        let spines = try Spines(folder: dataset, limit: spines)
        if modes.contains(.memory) {
            report.memory = try await MemoryCheck(spines, count: cycles, qualities: [.high, .medium, .low])
        }
        if modes.contains(.ladder) {
            report.ladder = try await LadderCheck(spines, quiet: Double(quiet), fault: Double(fault), only: only)
        }
        if let json { try prettyJSON(report).write(to: URL(filePath: json)) }
    }
}

/// Labelled spines that a check reads over and over.
struct Spines {
    struct Spine: Sendable {
        var image: RasterImage
        var title: String
    }

    var all: [Spine]

    /// - Throws: when the dataset or a picture cannot be read.
    init(folder: String, limit: Int) throws {
        let samples = try DatasetLoader().load(folder).samples
        let options = DecodingOptions(minimumShortSide: SpineScanner.sufficientShortSide)
        all = try samples.lazy.filter { $0.title != nil }.prefix(limit).map { sample in
            let data = try Data(contentsOf: URL(filePath: "\(folder)/\(sample.image)"))
            let image = try ImageCodec.decode([UInt8](data), name: sample.image, options: options).image
            return Spine(image: image, title: sample.title ?? "")
        }
    }

    /// Whether the whole title is in what was read; nil when it has no words to look for.
    static func isRead(_ title: String, in reading: SpineReading) -> Bool? {
        FieldRead(field: title, in: reading.lines.map(\.text).joined(separator: " ")).isRead
    }
}
