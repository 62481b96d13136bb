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
        abstract: "Scans photos of spines into the library.",
        discussion: """
            For example:

              spinebench scan spine.jpg
              spinebench scan photos --talaria http://127.0.0.1:8080
              spinebench scan --drain --talaria http://127.0.0.1:8080
              spinebench scan --frames pan:Datasets/spines-1 --seconds 30

            Each picture is one spine, any way up, or a photo of shelves, which gives a scan for each of its spines (PHOTO#ROW.PLACE, \
            with the milliseconds of all): PNG, JPEG or HEIC. Without a back end everything is done here and \
            nothing leaves this machine; with one, the text is read here and only that is sent (hybrid), unless --variant \
            says otherwise: talaria-only sends the picture, vision-fallback sends it first and reads here when that fails \
            or is slow, on-device-only sends nothing.

            What the back end does not answer stays in the library's queue, and is sent by the next scan that reaches it, \
            the oldest first. 'spinebench library list' shows books, drafts and the queue.

            With --json, each picture gives one line (path, status, lines, title, authors, isbn, confidence, needsReview, \
            tiers, milliseconds, bytesOut, problem, remark, reconnects, malformedEvents - or path and error), and the last \
            line is the summary, with what finding out what there is to scan with took (probeMilliseconds).

            Every picture ends as a book, a draft (what was read, and nobody knows the book), in the queue, or is named as one \
            that failed: it does not decode, nobody found text or a book on it, or the back end refused it. A picture that is \
            scanned again replaces its draft. Only the back end's own word about a scan ends it. Whatever else comes instead, \
            a portal's page, a redirect, an untrusted certificate, leaves it in the queue.

            With --frames a camera's frames are scanned as they come: those with a spine are read while the camera rests, and each \
            spine becomes one scan, by the best of its readings that agree; a spine that is seen again within a minute is not scanned \
            again. Text that is too short to name a book is ignored. Of frames of shelves only what came into sight is read, and the \
            camera pauses when it sees nothing new. At the end stands what became of all frames, \
            and how many books a minute were found; the exit code is 1 when there was none.

            Exit codes: 0 every picture is in the library (with --offline: or the queue), 1 some failed or were refused by the \
            back end, 2 wrong usage, no such file, or a library or catalogue that is none, 3 something that was to be sent \
            waits in the queue, 4 the reader, the back end or the disk is missing or full, 130 and 143 stopped by a signal.
            """
    )

    @Argument(help: .value("path", "Picture files, and folders of them."), completion: .file())
    var paths: [String] = []

    @OptionGroup var options: ScanOptions
    @OptionGroup(title: "Frames") var live: LiveOptions
    @OptionGroup var library: LibraryOptions

    @Flag(help: "Send what waits in the queue.")
    var drain = false

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func validate() throws {
        if live.frames != nil {
            if !paths.isEmpty || drain { throw ValidationError("Say --frames, or pictures and --drain, not both.") }
            return
        }
        if paths.isEmpty && !drain {
            throw ValidationError("Say what to scan: a picture or a folder of them, or --frames.")
        }
        if drain && options.address == nil { throw ValidationError("--drain needs a back end: say --talaria URL.") }
        if drain && options.offline { throw ValidationError("Say --drain or --offline, not both.") }
        if drain && options.strategy == .onDeviceOnly {
            throw ValidationError("on-device-only sends nothing; drain with another variant.")
        }
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
        await setup.close()
        if let signal = interruption.signal {
            Console.standardError("stopped; what was begun is in the library or its queue")
            throw ExitStatus.signal(signal).exitCode
        }
        let summary = try result.get()
        if setup.hasLostEntries { throw ExitStatus.environment.exitCode }
        guard summary.failed + summary.unread + summary.refused == 0 else { throw ExitStatus.missed.exitCode }
        guard summary.waiting == 0 || !sends(setup) else { throw ExitStatus.undecided.exitCode }
    }

    /// Returns whether waiting scans are to be sent now.
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

    /// Sends the scans that wait from earlier.
    private func send(_ session: ScanSession, _ summary: inout ScanSummary) async throws {
        let report = try await session.drain { [json] id, title in
            if !json { print("from the queue: \(title ?? "no book is known for \(id)")") }
        }
        summary.drained = report.done
        summary.refused = report.failed
        if let stopped = report.stopped { Console.standardError("the queue waits on: \(PlainLine.of(stopped))") }
    }

    /// Returns the report of a picture; for a photo of shelves, one of each of its spines.
    private func scan(_ path: String, with session: ScanSession) async throws -> [ScanReport] {
        let start = ContinuousClock.now
        do {
            let bytes = try InputFile.bytes(path)
            let remark = SeveralSpines.remark(on: bytes, name: path)
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
