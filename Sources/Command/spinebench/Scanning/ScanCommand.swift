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
        if let frames = live.frames { return try await runLive(frames) }
        let pictures = try PictureFiles(paths)
        let files = pictures.paths
        for line in pictures.skipped { Console.standardError(line) }
        if let log = options.egressLog {
            _ = try OutputFile(log, option: "--egress-log", over: files + library.files + [options.catalogue])
        }
        let store = try LibraryStore(path: library.path())
        let setup = try ScanSetup(options, store: store)
        if !json { print("\(setup.plan.strategy.rawValue): \(setup.plan.reason)") }
        let interruption = Signals.interruption()
        let work = Task { try await scan(files, with: setup, store: store) }
        interruption.onStop { work.cancel() }
        let result = await work.result
        if let signal = interruption.signal {
            Console.standardError("stopped; started scans are in the library or its queue")
            throw ExitStatus.signal(signal).exitCode
        }
        let summary = try result.get()
        if setup.hasLostEntries { throw ExitStatus.environment.exitCode }
        guard summary.failed + summary.unread + summary.refused == 0 else { throw ExitStatus.missed.exitCode }
        guard summary.waiting == 0 || !sends(setup) else { throw ExitStatus.undecided.exitCode }
    }

    func sends(_ setup: ScanSetup) -> Bool { setup.plan.strategy.needsBackEnd && !options.offline }

    private func scan(_ files: [String], with setup: ScanSetup, store: LibraryStore) async throws -> ScanSummary {
        var summary = ScanSummary(setup.plan, probing: setup.probing)
        if sends(setup) { try await send(setup.session, &summary) }
        for file in files {
            try Task.checkCancellation()
            // The output is closed: the program ends with an error.
            if StandardOutput.hasFailed { break }
            for report in try await scan(file, with: setup.session) {
                summary.add(report)
                print(json ? try JSONText.line(report) : report.text)
            }
        }
        summary.notCleanedUp = await setup.session.finish().failed
        summary.waiting = try store.waitingScans().count
        summary.bytesOut = setup.ledger.totals().bytesOut
        summary.badge = setup.ledger.badge
        print(json ? try JSONText.line(["summary": summary]) : summary.text)
        return summary
    }

    private func send(_ session: ScanSession, _ summary: inout ScanSummary) async throws {
        let report = try await session.drain { [json] id, title in
            if !json { print("from the queue: \(title ?? "no book found for \(id)")") }
        }
        summary.drained = report.done
        summary.refused = report.failed
        if let stopped = report.stopped { Console.standardError("the queue is not sent: \(PlainLine.of(stopped))") }
    }

    /// Returns the report of a picture; for a photo of shelves, one of each of its spines.
    private func scan(_ path: String, with session: ScanSession) async throws -> [ScanReport] {
        let start = ContinuousClock.now
        do {
            let bytes = try InputFile.bytes(path)
            let remark = AspectRatioWarning.remark(on: bytes, name: path)
            if remark != nil, session.readsShelves {
                let scans = try await session.scan(shelf: bytes, name: path)
                let milliseconds = start.duration(to: .now).milliseconds
                return scans.map { scan in
                    var report = ScanReport(path: scan.name, scan: scan, milliseconds: milliseconds)
                    if scan.name == path { report.remark = remark }
                    return report
                }
            }
            let scan = try await session.scan(photo: bytes, name: path)
            var report = ScanReport(path: path, scan: scan, milliseconds: start.duration(to: .now).milliseconds)
            report.remark = remark
            return [report]
        } catch let error where error is CancellationError || error is StoreError {
            // Stopped, or nothing can be kept: the next picture would fare no better.
            throw error
        } catch {
            return [ScanReport(path: path, error: error.systemReason)]
        }
    }
}
