import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies
import Systems
import Talaria

extension ScanCommand {
    /// Scans a camera's frames, and returns whether nothing was found.
    func scan<C: Clock>(
        _ sequence: FrameSequence,
        with setup: ScanSetup,
        _ store: LibraryStore,
        _ interruption: Interruption,
        clock: C
    ) async throws -> Bool where C.Duration == Duration {
        let rate = live.rate ?? sequence.framesPerSecond ?? 30
        let json = json
        // An adaptive reader watches itself.
        let monitor =
            options.adaptive
            ? nil : PerformanceMonitor(targets: ModelTarget.tiers, batteryPercentPer30Minutes: setup.battery)
        let guide = live.guide ?? (sequence.views == nil ? nil : FrameSequence.strip)
        let camera = FrameSource(
            count: live.seconds.map { max(1, Int(($0 * Double(rate)).rounded())) } ?? sequence.count(at: rate),
            framesPerSecond: rate,
            idleLimit: .seconds(live.idleLimit),
            guide: guide.map { Guide(share: $0) },
            clock: clock
        ) { try sequence.picture(of: $0, at: rate) }
        let scan = LiveScan(ScanningCoordinator(session: setup.session, monitor: monitor), of: camera, clock: clock)
        let raised = Task { await Self.raised(monitor?.alerts) }
        let progress = Task {
            while true {
                try await Task.sleep(for: Console.isInteractive ? .milliseconds(500) : .seconds(5))
                let figures = await scan.figures
                let line =
                    "\(NumberText.fixed(figures.seconds, 0)) s: \(NumberText.count(figures.seen, "frame")), "
                    + "\(figures.read) read, \(NumberText.count(figures.books, "book"))"
                Console.write(Console.isInteractive ? "\r\u{1B}[K\(line)" : line + "\n")
            }
        }
        let work = { @Sendable in
            try await scan.run { found in
                let times = found.timings
                let parts = [times.reading, times.preparation, times.upload, times.enrichment ?? times.matching]
                let milliseconds = parts.reduce(0) { $0 + ($1?.milliseconds ?? 0) }
                let report = ScanReport(path: found.name, scan: found, milliseconds: milliseconds)
                print(json ? (try? JSONText.line(report)) ?? "" : report.text)
            }
        }
        do {
            defer {
                raised.cancel()
                progress.cancel()
                if Console.isInteractive { Console.clearBar() }
            }
            _ = try await interruption.cancelling(work)
        }
        await setup.session.finish()
        let figures = await scan.figures
        let alerts = await raised.value
        let details: KeyValuePairs<String, (any Encodable)?> = [
            "source": "\(live.frames ?? ""): \(sequence.text)", "framesPerSecond": rate, "pace": live.pace.rawValue,
            "seen": figures.seen, "read": figures.read, "booksPerMinute": figures.booksPerMinute,
            // Readings that cost more than they may (S3-26).
            "alerts": alerts,
        ]
        let text = figures.text(pace: "\(rate) per second (pace \(live.pace.rawValue))", alerts: alerts)
        try end(ScanSummary(Members(content: figures, fields: details), text, setup, store))
        return figures.books + figures.queued == 0
    }

    /// Prints alerts, and returns the number of those that were raised.
    private static func raised(_ alerts: AsyncStream<AlertChange>?) async -> Int {
        guard let alerts else { return 0 }
        var raised = 0
        for await change in alerts {
            if case .raised = change { raised += 1 }
            if let text = AdaptiveReader.Event.alert(change).text { Console.standardError(text) }
        }
        return raised
    }
}
