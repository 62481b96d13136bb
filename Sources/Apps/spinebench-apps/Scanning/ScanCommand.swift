import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Composition
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Scan photos of spines into the library.",
        discussion: """
            For example:

              spinebench scan spine.jpg
              spinebench scan photos --talaria http://127.0.0.1:8080
              spinebench scan --drain --talaria http://127.0.0.1:8080
              spinebench scan --frames pan:Datasets/spines-1 --seconds 30

            Each picture shows one spine, any way up, or shelves, which give one scan per spine (PHOTO#ROW.PLACE, \
            with the milliseconds of the whole photo): PNG, JPEG or HEIC. Without a back end everything is processed here and \
            nothing leaves this machine; with one, the text is read here and only the text is sent (hybrid), unless --variant \
            is given: talaria-only sends the picture, vision-fallback sends it first and reads here when the back end fails \
            or is slow, on-device-only sends nothing.

            Scans that the back end does not answer stay in the library's queue, and are sent by the next scan that reaches it, \
            the oldest first. 'spinebench library list' shows books, drafts and the queue.

            With --json, the output has one line per picture (path, status, lines, title, authors, isbn, confidence, needsReview, \
            tiers, milliseconds, bytesOut, problem, remark, reconnects, malformedEvents - or path and error), and the last \
            line is the summary, with the time of probing the available readers and back end (probeMilliseconds).

            Every picture becomes a book, a draft (text without a known book), an entry of the queue, or is reported as \
            failed: it does not decode, has no text or book, or was rejected by the back end. A picture that is \
            scanned again replaces its draft. Only a valid answer of the back end ends a scan. Any other answer, \
            such as a portal's page, a redirect or an untrusted certificate, leaves the scan in the queue.

            With --frames a camera's frames are scanned live: frames with a spine are read while the camera rests, and each \
            spine becomes one scan, by the best of its agreeing readings; a spine that is seen again within a minute is not scanned \
            again. Text that is too short to identify a book is ignored. On frames of shelves only new spines are read, and the \
            camera pauses when it sees nothing new. The summary reports the outcome of all frames \
            and the books per minute; the exit code is 1 when no book was found.

            Exit codes: 0 every picture is in the library (with --offline: or the queue), 1 some failed or were rejected by the \
            back end, 2 invalid usage, file not found, or invalid library or catalogue, 3 something to be sent \
            is still in the queue, 4 the reader or the back end is missing or the disk is full, 130 and 143 stopped by a signal.
            """
    )

    @Argument(help: .value("path", "Picture files, and folders of them."), completion: .file())
    var paths: [String] = []

    @OptionGroup var options: ScanOptions
    @OptionGroup(title: "Frames") var live: LiveOptions
    @OptionGroup var library: LibraryOptions

    @Flag(help: "Send the queue.")
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
