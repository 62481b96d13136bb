import ArgumentParser
import Basics
import CommandSupport
import Composition
import Evaluation
import Foundation
import Harness
import Imaging
import SpineReaders
import TextRecognition

struct ReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Read spines and print their text.",
        discussion: """
            Examples:

              spinebench read spine.jpg
              spinebench read photos --variant fast,threads=1 --json > readings.jsonl

            Each picture is one spine, any way up: PNG, JPEG or HEIC. Manual: Docs/READING.md#read-spines. Exit \
            codes: Docs/MEASURING.md#exit-codes.
            """
    )

    @Argument(help: .value("path", "Pictures, and folders of them."))
    var paths: [String]

    @Option(help: .value("name[,setting=value…]", "Variant that reads. (default: fast)"))
    var variant: String?

    @Option(help: .value("name", "Engine, to read with its default variant."))
    var engine: String?

    @Flag(help: "Print JSON Lines.")
    var json = false

    @Option(help: .value("dir", "Folder for SVGs with the readings drawn on each picture."))
    var overlay: String?

    func validate() throws {
        if paths.isEmpty { throw ValidationError("Specify a picture or a folder of pictures.") }
        if variant != nil && engine != nil { throw ValidationError("Specify --variant or --engine, not both.") }
        do { _ = try variant.map { try ComposedVariant($0) } } catch { throw ValidationError("\(error)") }
        if let engine, ComposedVariant.reader(engine: engine) == nil {
            throw ValidationError(
                "Unknown engine '\(engine)'; \(NearName.hint(for: engine, among: ComposedVariant.engines))"
            )
        }
    }

    func run() throws {
        let pictures = try PictureFiles(paths)
        let files = pictures.paths
        for line in pictures.skipped { Console.standardError(line) }
        let name = engine.flatMap(ComposedVariant.reader)?.name ?? variant ?? "fast"
        let loaded = try PictureReading.load(ComposedVariant(name))
        // One picture is read soonest when only its own parts are loaded; of many, none should wait for a network.
        if files.count > 1 { try loaded.prepare() }
        var overlays = try overlay.map { try OverlayFiles(folder: $0, pictures: files) }
        try PictureReading.printReports(of: files, TimedBar()) { file in
            let report = read(file, with: loaded.scanner, overlay: overlays?.path(for: file))
            return (json ? try JSONText.line(report) : report.text, report.error == nil)
        }
    }

    private func read(_ path: String, with scanner: SpineScanner, overlay: String?) -> ReadingReport {
        do {
            let bytes = try InputFile.bytes(path)
            let start = ContinuousClock.now
            let reading = try scanner.scan(bytes, name: path).reading
            let milliseconds = start.duration(to: .now).milliseconds
            var report = ReadingReport(path: path, reading: reading, milliseconds: milliseconds)
            report.remark = AspectRatioWarning.remark(on: bytes, name: path)
            if let overlay {
                try write(reading, on: bytes, path: path, to: overlay)
                report.overlay = overlay
            }
            return report
        } catch {
            return ReadingReport(path: path, error: error.systemReason)
        }
    }

    private func write(_ reading: SpineReading, on bytes: [UInt8], path: String, to overlay: String) throws {
        let image = try ImageCodec.decode(bytes, name: path, options: DecodingOptions()).image
        let drawn = try Overlay(of: reading).svg(over: image)
        do {
            try Data(drawn).write(to: URL(fileURLWithPath: overlay))
        } catch {
            throw HarnessError.configuration("\(overlay): cannot be written: \(error.systemReason)")
        }
    }
}

private struct ReadingReport: Encodable {
    var path: String
    var orientation: String?
    var milliseconds: Double?
    var lines: [Prediction.Line]?
    var remark: String?
    var overlay: String?
    var error: String?
}

extension ReadingReport {
    init(path: String, reading: SpineReading, milliseconds: Double) {
        self.path = path
        orientation = reading.orientation?.rawValue
        self.milliseconds = milliseconds
        lines = reading.lines.map(Prediction.Line.init)
    }

    var text: String {
        if let error { return Console.coloured("✗", .red) + " \(error)" }
        let time = NumberText.milliseconds(milliseconds ?? 0)
        let rows = (lines ?? []).map { line in
            let share = line.probability.map { String(format: "%.0f %% sure", 100 * $0) }
            return [line.text, share ?? String(format: "%.0f %% (not calibrated)", 100 * (line.confidence ?? 0))]
        }
        let table = Table(columns: [.text(""), .number("")], rows: rows).terminal(width: Console.width)
        return [
            "\(path)  \(rows.isEmpty ? "no text" : orientation ?? "")  \(time)", rows.isEmpty ? nil : table,
            remark.map { "  \($0)" }, overlay.map { "  overlay: \($0)" },
        ].compactMap(\.self).joined(separator: "\n")
    }
}
