import ArgumentParser
import Basics
import CommandSupport
import Composition
import Foundation
import Harness
import Imaging
import SpineReaders
import TextRecognition

struct ReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Reads spines and prints what they say.",
        discussion: """
            For example:

              spinebench read spine.jpg
              spinebench read Datasets/spines-1/images --variant accurate --overlay /tmp/seen
              spinebench read photos --json > readings.jsonl

            Each picture is one spine, PNG, JPEG or HEIC, any way up. Of a folder, the files that are named like pictures \
            are read, in the order of their names; what lies in its subfolders is skipped, and told. 'spinebench engines' \
            lists the engines and variants; 'spinebench suites --settings' lists what can be set of one: --variant fast,precision=f32,threads=1.

            With --json, each picture gives one line: path, orientation (upright, cw, ccw, inverted; absent when nothing \
            was read), milliseconds from the file's bytes to text, and lines of text, confidence, quad (corners in \
            the picture's pixels, from where the text begins, clockwise), probability (that the line is right, calibrated; \
            absent where nobody calibrated it) and alternatives (texts that a line in doubt may have), remark where the picture has not the shape of one \
            spine, and overlay, the file that was written - or path and error.

            An overlay is called NAME.overlay.svg after the whole name of its picture, never replaces a picture that is read, \
            and has a number when two pictures have one name.

            Exit codes: 0 every picture was read, 1 some could not be, 2 wrong usage, or no such file, 4 the engine or its \
            models are missing.
            """
    )

    @Argument(help: .value("path", "Picture files, and folders of them."))
    var paths: [String]

    @Option(help: .value("name[,setting=value…]", "How to read. (default: fast)"))
    var variant: String?

    @Option(help: .value("name", "Read with this engine's usual variant."))
    var engine: String?

    @Flag(help: "Print one JSON object a line.")
    var json = false

    @Option(help: .value("dir", "Write each picture there, with what was read drawn on it, as PNG."))
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
        // One picture is read soonest when only its own parts are loaded; of many, none should wait for a network.
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
        let bar = TimedBar(isShown: files.count > 1 && Console.isInteractive)
        var failures = 0
        for (index, file) in files.enumerated() {
            // The output is closed: the program ends with an error.
            if StandardOutput.hasFailed { return }
            bar.show(index, of: files.count)
            let report = read(file, with: loaded.scanner, overlay: overlays?.path(for: file))
            if report.error != nil { failures += 1 }
            bar.clear()
            print(json ? try JSONText.line(report) : report.text)
        }
        if failures > 0 {
            Console.error("\(failures) of \(files.count) could not be read")
            throw ExitStatus.missed.exitCode
        }
    }

    private func load() throws -> LoadedReader {
        let chosen = try ComposedVariant(engine.flatMap(VariantBase.reader)?.name ?? variant ?? "fast")
        try chosen.settings.check(chosen.name)
        let settings = try chosen.reading
        if settings.engine == .openVINO, let notice = Installation.firstRunNotice { Console.standardError(notice) }
        return try settings.load()
    }

    private func read(_ path: String, with scanner: SpineScanner, overlay: String?) -> ReadingReport {
        do {
            let bytes = try InputFile.bytes(path)
            let start = ContinuousClock.now
            let reading = try scanner.scan(bytes, name: path).reading
            let milliseconds = start.duration(to: .now).milliseconds
            var report = ReadingReport(path: path, reading: reading, milliseconds: milliseconds)
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
        let drawn = try Overlay(of: reading).svg(over: image)
        do {
            try Data(drawn).write(to: URL(fileURLWithPath: overlay))
        } catch {
            throw HarnessError.configuration("\(overlay): cannot be written: \(error.systemReason)")
        }
    }
}

/// The output of `read` for one picture.
private struct ReadingReport: Encodable {
    var path: String
    var orientation: String?
    var milliseconds: Double?
    var lines: [Prediction.Line]?
    var remark: String?
    /// Picture with the text drawn on it.
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

/// Distinguishes a photo of a shelf from a picture of one spine by its proportions.
enum SeveralSpines {
    /// Returns a remark on a picture's file; nil for a possible single spine, and for a file that is not a picture.
    static func remark(on bytes: [UInt8], name: String) -> String? {
        guard let header = try? ImageCodec.header(of: bytes, name: name),
            ShelfReader.isLikely(width: header.width, height: header.height)
        else { return nil }
        return
            "its sides are \(header.orientedWidth) × \(header.orientedHeight), which is no single spine's shape: if it shows "
            + "a shelf, 'spinebench shelf' names all of its books"
    }
}
