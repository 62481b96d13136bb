import ArgumentParser
import Basics
import CommandSupport
import Composition
import Documents
import Evaluation
import Foundation
import Harness
import ImageCodec
import Raster
import SpineReaders
import TextRecognition

/// `spinebench read`.
struct ReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Reads spines and prints what they say.",
        discussion: """
            For example:

              spinebench read spine.jpg
              spinebench read Datasets/spines-1/images --variant accurate --overlay /tmp/seen
              spinebench read photos --json > readings.jsonl

            Each picture is one spine, PNG or JPEG, any way up. Of a folder, the files that are named like pictures are \
            read, in the order of their names; what lies in its subfolders is skipped, and told. 'spinebench engines' lists the engines and variants; 'spinebench suites \
            --settings' lists what can be set of one: --variant fast,precision=f32,threads=1.

            With --json, each picture gives one line: path, orientation (upright, cw, ccw, inverted; absent when nothing \
            was read), milliseconds from the file's bytes to text, and lines of text, confidence and quad (corners in \
            the picture's pixels, from where the text begins, clockwise), remark where the picture has not the shape of one \
            spine, and overlay, the file that was written - or path and error.

            An overlay is called NAME.overlay.png after the whole name of its picture, never replaces a picture that is read, \
            and has a number when two pictures have one name.

            Exit codes: 0 every picture was read, 1 some could not be, 2 wrong usage, or no such file, 4 the engine or its \
            models are missing.
            """
    )

    @Argument(help: ArgumentHelp("Picture files, and folders of them.", valueName: "path"))
    var paths: [String]

    @Option(help: ArgumentHelp("How to read. (default: fast)", valueName: "name[,setting=value…]"))
    var variant: String?

    @Option(help: ArgumentHelp("Read with this engine's usual variant.", valueName: "name"))
    var engine: String?

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Option(help: ArgumentHelp("Write each picture there, with what was read drawn on it, as PNG.", valueName: "dir"))
    var overlay: String?

    func validate() throws {
        if paths.isEmpty { throw ValidationError("Say what to read: a picture or a folder of them.") }
        if variant != nil && engine != nil { throw ValidationError("Say --variant or --engine, not both.") }
        do { _ = try variant.map { try ComposedVariant($0) } } catch { throw ValidationError("\(error)") }
        if let engine, VariantBase.reader(engine: engine) == nil {
            throw ValidationError(
                "There is no engine '\(engine)'; \(NearName.hint(for: engine, among: VariantBase.engines))"
            )
        }
    }

    func run() throws {
        let pictures = try PictureFiles(paths)
        let files = pictures.paths
        for line in pictures.skipped { Console.standardError(line) }
        let loaded = try load()
        // One picture is read soonest when only what it needs is loaded; of many, none should wait for a network.
        if files.count > 1 { try loaded.prepare() }
        var overlays: OverlayFiles?
        if let overlay {
            do {
                try FileManager.default.createDirectory(atPath: overlay, withIntermediateDirectories: true)
            } catch {
                throw HarnessError.configuration("--overlay \(overlay) cannot be made: \(error.systemReason)")
            }
            overlays = OverlayFiles(folder: overlay, pictures: files)
        }
        let progress = ReadProgress(total: files.count, isShown: files.count > 1 && Console.isInteractive)
        var failures = 0
        for (index, file) in files.enumerated() {
            // Nobody sees what is printed: the program ends, and says so.
            if StandardOutput.hasFailed { return }
            progress.show(done: index)
            let report = read(file, with: loaded.scanner, overlay: overlays?.path(for: file))
            if report.error != nil { failures += 1 }
            progress.clear()
            print(json ? try report.json() : report.text)
        }
        if failures > 0 {
            Console.error("\(failures) of \(files.count) could not be read")
            throw ExitStatus.missed.exitCode
        }
    }

    private func load() throws -> LoadedReader {
        let chosen = try ComposedVariant(engine.flatMap(VariantBase.reader)?.name ?? variant ?? "fast")
        if let problem = chosen.settings.problem {
            throw HarnessError.unavailable(variant: chosen.name, reason: problem)
        }
        let settings = try chosen.reading
        if settings.engine == .openVINO, let notice = Installation.firstRunNotice { Console.standardError(notice) }
        return try settings.load()
    }

    private func read(_ path: String, with scanner: SpineScanner, overlay: String?) -> ReadingReport {
        do {
            let bytes = try InputFile.bytes(path)
            let clock = ContinuousClock()
            let start = clock.now
            let reading = try scanner.scan(bytes, name: path).reading
            var report = ReadingReport(
                path: path,
                reading: reading,
                milliseconds: start.duration(to: clock.now).milliseconds
            )
            report.remark = SeveralSpines.remark(on: bytes, name: path)
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
        let drawn = try ImageCodec.encodePNG(Overlay(reading: reading).drawn(on: image))
        do {
            try Data(drawn).write(to: URL(fileURLWithPath: overlay))
        } catch {
            throw HarnessError.configuration("\(overlay): cannot be written: \(error.systemReason)")
        }
    }
}

/// What `read` says of one picture.
private struct ReadingReport: Encodable {
    var path: String
    var orientation: String?
    var milliseconds: Double?
    var lines: [Prediction.Line]?
    /// Why it may be no single spine.
    var remark: String?
    /// The picture with what was read drawn on it.
    var overlay: String?
    var error: String?

    init(path: String, reading: SpineReading, milliseconds: Double) {
        self.path = path
        orientation = reading.orientation?.rawValue
        self.milliseconds = milliseconds
        lines = reading.lines.map { Prediction.Line(text: $0.text, confidence: $0.confidence, quad: $0.quad) }
    }

    init(path: String, error: String) {
        self.path = path
        self.error = error
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    var text: String {
        if let error { return Console.coloured("✗", .red) + " \(error)" }
        let time = NumberText.milliseconds(milliseconds ?? 0)
        let read = lines ?? []
        let notes = [remark.map { "  \($0)" }, overlay.map { "  overlay: \($0)" }].compactMap(\.self)
        if read.isEmpty { return (["\(path)  no text  \(time)"] + notes).joined(separator: "\n") }
        let width = read.map(\.text.count).max() ?? 0
        let rows = read.map { line in
            "  " + line.text.padding(toLength: width, withPad: " ", startingAt: 0) + "  "
                + String(format: "%3.0f %%", 100 * (line.confidence ?? 0))
        }
        return (["\(path)  \(orientation ?? "")  \(time)"] + rows + notes).joined(separator: "\n")
    }
}

/// The bar of `read`, on a terminal.
private final class ReadProgress {
    private let total: Int
    private let isShown: Bool
    private let started = ContinuousClock.now

    init(total: Int, isShown: Bool) {
        self.total = total
        self.isShown = isShown
    }

    func show(done: Int) {
        guard isShown else { return }
        let seconds = started.duration(to: .now).milliseconds / 1_000
        let left = done == 0 ? "?" : NumberText.span(seconds: seconds / Double(done) * Double(total - done))
        Console.bar(done: done, total: total, news: [left + " left"])
    }

    func clear() {
        if isShown { Console.write("\r\u{1B}[K") }
    }
}
