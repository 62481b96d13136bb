import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies
import Systems

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Scan photos of spines into the library.",
        discussion: """
            Examples:

              spinebench scan photos --talaria http://127.0.0.1:8080
              spinebench scan --drain --talaria http://127.0.0.1:8080
              spinebench scan --frames pan:Datasets/spines-1 --seconds 30

            Photos are PNG, JPEG or HEIC, of one spine or of shelves. Without a back end nothing leaves this \
            machine. Manual: Docs/READING.md#scan-spines-into-a-library, of frames: \
            Docs/READING.md#scan-a-cameras-frames, fields of --json: Reports/FORMAT.md#json-lines-of-commands. Exit \
            codes: Docs/MEASURING.md#exit-codes.
            """
    )

    @Argument(help: .value("path", "Pictures, and folders of them."), completion: .file())
    var paths: [String] = []

    @OptionGroup var options: ScanOptions
    @OptionGroup(title: "Frames") var live: LiveOptions
    @OptionGroup var library: LibraryOptions

    @Flag(help: "Send the queue, the oldest scan first.")
    var drain = false

    @Flag(help: "Print JSON Lines.")
    var json = false

    func validate() throws {
        let isLive = live.frames != nil
        try refuse([
            (isLive && (!paths.isEmpty || drain), "Specify --frames, or pictures and --drain, not both."),
            (!isLive && paths.isEmpty && !drain, "Specify a picture, a folder of pictures, or --frames."),
            (drain && options.address == nil, "--drain requires a back end: add --talaria URL."),
            (drain && options.offline, "Specify --drain or --offline, not both."),
            (drain && options.strategy == .onDeviceOnly, "on-device-only sends nothing; drain with another variant."),
        ])
    }

    func run() async throws {
        let pictures = live.frames == nil ? try PictureFiles(paths) : nil
        for line in pictures?.skipped ?? [] { Console.standardError(line) }
        if let log = options.egressLog {
            let inputs = (pictures?.paths ?? live.folder.map { [$0] } ?? []) + library.files + [options.catalogue]
            _ = try OutputFile(log, option: "--egress-log", over: inputs)
        }
        let sequence = try live.sequence()
        let store = try LibraryStore(path: library.path())
        let setup = try ScanSetup(options, store: store)
        if !json { print("\(setup.plan.strategy.rawValue): \(setup.plan.reason)") }
        let interruption = Signals.interruption()
        var isMissed = false
        if let sequence {
            isMissed =
                try await live.pace == .real
                ? scan(sequence, with: setup, store, interruption, clock: ContinuousClock())
                : scan(sequence, with: setup, store, interruption, clock: StepClock())
        } else {
            let work = { @Sendable in try await scan(pictures?.paths ?? [], with: setup, store) }
            isMissed = try await interruption.cancelling(work) ?? false
        }
        if let signal = interruption.signal {
            Console.standardError("stopped; results are in the library or its queue")
            throw ExitStatus.signal(signal).exitCode
        }
        if setup.hasLostEntries { throw ExitStatus.environment.exitCode }
        if isMissed { throw ExitStatus.missed.exitCode }
        guard try store.waitingScans().isEmpty || !sends(setup) else { throw ExitStatus.undecided.exitCode }
    }

    private func sends(_ setup: ScanSetup) -> Bool { setup.plan.strategy.needsBackEnd && !options.offline }

    /// Scans pictures, and returns whether one was missed.
    private func scan(_ files: [String], with setup: ScanSetup, _ store: LibraryStore) async throws -> Bool {
        var counts = ScanCounts()
        if sends(setup) { try await send(setup.session, &counts) }
        for file in files {
            try Task.checkCancellation()
            // The output is closed: the program ends with an error.
            if StandardOutput.hasFailed { break }
            let reports = try await scan(file, with: setup.session)
            counts.add(reports)
            for report in reports { print(json ? try JSONText.line(report) : report.text) }
        }
        counts.notCleanedUp = await setup.session.finish().failed
        try end(ScanSummary(counts.json(probing: setup.probing), counts.text, setup, store))
        return counts.isMissed
    }

    func end(_ summary: ScanSummary) throws {
        print(json ? try JSONText.line(["summary": summary.json]) : summary.text)
    }

    private func send(_ session: ScanSession, _ counts: inout ScanCounts) async throws {
        let report = try await session.drain { [json] id, title in
            if !json { print("from the queue: \(title ?? "no book found for \(id)")") }
        }
        (counts.drained, counts.refused) = (report.done, report.failed)
        if let stopped = report.stopped { Console.standardError("the queue is not sent: \(PlainLine.of(stopped))") }
    }

    /// Returns the report of a picture; for a photo of shelves, one of each of its spines.
    private func scan(_ path: String, with session: ScanSession) async throws -> [ScanReport] {
        let start = ContinuousClock.now
        do {
            let bytes = try InputFile.bytes(path)
            let remark = AspectRatioWarning.remark(on: bytes, name: path)
            let isShelf = remark != nil && session.readsShelves
            let scans =
                try await isShelf
                ? session.scan(shelf: bytes, name: path) : [session.scan(photo: bytes, name: path)]
            let milliseconds = start.duration(to: .now).milliseconds
            return scans.map { scan in
                let name = isShelf ? scan.name : path
                return ScanReport(
                    path: name,
                    scan: scan,
                    milliseconds: milliseconds,
                    remark: name == path ? remark : nil
                )
            }
        } catch let error where error is CancellationError || error is StoreError {
            // Stopped, or nothing can be kept: the next picture would fare no better.
            throw error
        } catch {
            return [ScanReport(path: path, error: error.systemReason)]
        }
    }
}

extension Interruption {
    /// Waits for work that a signal cancels; nil if one did.
    func cancelling<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value? {
        let task = Task(operation: work)
        onStop { task.cancel() }
        let result = await task.result
        return signal == nil ? try result.get() : nil
    }
}
