import ArgumentParser
import CommandSupport
import Harness
import SpineReaders
import Systems
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

    @OptionGroup var reading: PictureReading

    @Option(help: .value("name[,setting=value…]", "Variant that reads. (default: fast)"))
    var variant: String?

    @Option(help: .value("name", "Engine, with the other settings of fast."))
    var engine: String?

    func validate() throws {
        if variant != nil && engine != nil { throw ValidationError("Specify --variant or --engine, not both.") }
        do { _ = try composed } catch { throw ValidationError("\(error)") }
    }

    private var composed: ComposedVariant {
        get throws { try ComposedVariant(engine.map { "fast,engine=\($0)" } ?? variant ?? "fast") }
    }

    func run() throws {
        let files = try reading.pictures()
        let loaded = try PictureReading.load(composed)
        // One picture is read soonest when only its own parts are loaded; of many, none should wait for a network.
        if files.count > 1 { try loaded.prepare() }
        try reading.printReports(of: files) { path, bytes in
            let start = ContinuousClock.now
            let spine = try loaded.scanner.scan(bytes, name: path).reading
            return PictureReport(
                path: path,
                reading: spine,
                milliseconds: start.duration(to: .now).milliseconds,
                remark: AspectRatioWarning.remark(on: bytes, name: path)
            )
        }
    }
}
