import ArgumentParser
import Basics
import CommandSupport
import Systems
import Harness
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

    @OptionGroup var reading: PictureReading

    @Option(help: .value("name[,setting=value…]", "Variant that reads. (default: fast)"))
    var variant: String?

    @Option(help: .value("name", "Engine, to read with its default variant."))
    var engine: String?

    func validate() throws {
        if variant != nil && engine != nil { throw ValidationError("Specify --variant or --engine, not both.") }
        do { _ = try variant.map { try ComposedVariant($0) } } catch { throw ValidationError("\(error)") }
        if let engine, ComposedVariant.reader(engine: engine) == nil {
            throw ValidationError(
                "Unknown engine '\(engine)'; \(NearName.hint(for: engine, among: ComposedVariant.engines))"
            )
        }
    }

    func run() throws {
        let files = try reading.pictures()
        let name = engine.flatMap(ComposedVariant.reader)?.name ?? variant ?? "fast"
        let loaded = try PictureReading.load(ComposedVariant(name))
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
