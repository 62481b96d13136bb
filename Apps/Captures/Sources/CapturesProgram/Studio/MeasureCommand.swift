import ArgumentParser
import Basics
import Captures
import CommandSupport
import Foundation
import Synchronization

struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measure captures on labelled pictures, and check the targets.",
        discussion: """
            Examples:

              captures measure Datasets/captures-1
              captures measure Datasets/captures-1 --limit 20 --json figures.json

            Each picture is captured into a temporary store and processed, then processed again with a source that \
            fails. Exit codes: 0 when all targets that gate are met, 1 when one is missed, 3 when one cannot be \
            decided. Manual: Apps/Captures/README.md#measure-it.
            """
    )

    @Argument(help: .value("dir", "Dataset folder with samples.jsonl."))
    var dataset: String

    @Option(help: .value("n", "Maximum pictures, the labels taking turns. (default: all)"))
    var limit: Int?

    @Option(help: .value("file", "Write the figures to a JSON file."), completion: .file())
    var json: String?

    @OptionGroup var options: PipelineOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("Invalid --limit \(limit): expected 1 or more.") }
    }

    func run() async throws {
        let pictures = try LabelledCapture.of(dataset, limit: limit)
        try options.check()
        let folder = FileManager.default.temporaryDirectory.appending(path: "measure-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try CaptureStore(path: folder.appending(path: "sessions.sqlite").path)
        let figures = try await measure(pictures, in: store)
        StandardOutput.write(figures.markdown)
        for (id, problem) in figures.failures.sorted(by: { $0.key < $1.key }) { Console.error("\(id): \(problem)") }
        if let json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(figures).write(to: URL(filePath: json), options: .atomic)
        }
        if figures.isMet != true { throw (figures.isMet == nil ? ExitStatus.undecided : .missed).exitCode }
    }

    private func measure(_ pictures: [LabelledCapture], in store: CaptureStore) async throws -> CaptureFigures {
        let measurer = try CaptureMeasurer(store: store, options: options)
        func result(of picture: LabelledCapture) async throws -> MeasuredCapture.Result {
            let bytes = try LabelledCapture.bytes("\(dataset)/\(picture.image)")
            return try await measurer.measure([UInt8](bytes), name: picture.image, scene: picture.scene)
        }
        // The first reading of a process takes longer.
        _ = try? await result(of: pictures[0])
        _ = ProcessMemory.resetPeak()
        let isDone = Mutex(false)
        // Linux has no peak of the footprint: it is that of samples.
        Thread.detachNewThread {
            while !isDone.withLock({ $0 }) {
                _ = ProcessMemory.current()
                usleep(10_000)
            }
        }
        defer { isDone.withLock { $0 = true } }
        var measured: [MeasuredCapture] = []
        let bar = TimedBar("measuring")
        defer { bar.clear() }
        for (number, picture) in pictures.enumerated() {
            bar.show(number, of: pictures.count)
            var one = MeasuredCapture(id: picture.id, scene: picture.scene)
            do { one.result = try await result(of: picture) } catch  where !(error is ValidationError) {
                one.problem = "\(error)"
            }
            measured.append(one)
        }
        let memory = ProcessMemory.current()
        return CaptureFigures(
            URL(filePath: dataset).lastPathComponent,
            measured,
            requests: try store.transfers().count,
            peaks: [("footprint", memory?.footprint?.peak, true), ("resident memory", memory?.resident?.peak, false)]
        )
    }
}
