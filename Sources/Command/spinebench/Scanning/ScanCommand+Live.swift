import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies
import Systems

extension ScanCommand {
    func runLive(_ source: String) async throws {
        let pictures = source.hasPrefix("pan:") ? String(source.dropFirst(4)) : source
        let inputs = [pictures, options.catalogue] + library.files
        if let log = options.egressLog { _ = try OutputFile(log, option: "--egress-log", over: inputs) }
        if source.hasPrefix("pan:") { Console.standardError("Drawing the frames.") }
        let sequence = try FrameSequence(source, pictures: live.pictures, seed: live.seed)
        let store = try LibraryStore(path: library.path())
        let setup = try ScanSetup(options, store: store)
        if !json { print("\(setup.plan.strategy.rawValue): \(setup.plan.reason)") }
        let work = Task {
            try await live.pace == .real
                ? scanLive(sequence, source, with: setup, clock: ContinuousClock())
                : scanLive(sequence, source, with: setup, clock: StepClock())
        }
        let result = await work.result
        var (report, signal) = try result.get()
        report.about.waiting = try store.waitingScans().count
        report.about.bytesOut = setup.ledger.totals().bytesOut
        report.about.badge = setup.ledger.badge
        print(json ? try JSONText.line(["summary": report]) : report.text)
        if let signal {
            Console.standardError("stopped; results are in the library or its queue")
            throw ExitStatus.signal(signal).exitCode
        }
        if setup.hasLostEntries { throw ExitStatus.environment.exitCode }
        guard report.figures.books > 0 || report.figures.queued > 0 else { throw ExitStatus.missed.exitCode }
        guard report.about.waiting == 0 || !sends(setup) else { throw ExitStatus.undecided.exitCode }
    }

    private func scanLive<C: Clock>(
        _ sequence: FrameSequence,
        _ source: String,
        with setup: ScanSetup,
        clock: C
    ) async throws -> (LiveReport, signal: Int32?) where C.Duration == Duration {
        let rate = live.rate(of: sequence)
        let start = clock.now
        let heat = live.heat
        let thermalState: @Sendable () -> ThermalState = {
            heat?.state(at: start.duration(to: clock.now) / .seconds(1)) ?? .nominal
        }
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
        let scan = LiveScan(
            ScanningCoordinator(
                session: setup.session,
                thermalPolicy: live.policy,
                thermalState: thermalState,
                monitor: monitor
            ),
            of: camera,
            clock: clock
        )
        let interruption = Signals.interruption()
        let json = json
        let work = Task {
            try await scan.run { found in
                let times = found.timings
                let parts = [times.reading, times.preparation, times.upload, times.enrichment ?? times.matching]
                let report = ScanReport(
                    path: found.name,
                    scan: found,
                    milliseconds: parts.reduce(0) { $0 + ($1?.milliseconds ?? 0) }
                )
                print(json ? (try? JSONText.line(report)) ?? "" : report.text)
            }
        }
        interruption.onStop { work.cancel() }
        let raised = Task { await Self.tell(monitor?.alerts) }
        let progress = Task {
            while true {
                try await Task.sleep(for: Console.isInteractive ? .milliseconds(500) : .seconds(5))
                let line = LiveReport.progress(await scan.figures)
                Console.write(Console.isInteractive ? "\r\u{1B}[K\(line)" : line + "\n")
            }
        }
        let result = await work.result
        raised.cancel()
        progress.cancel()
        if Console.isInteractive { Console.clearBar() }
        await setup.session.finish()
        if interruption.signal == nil { try result.get() }
        let figures = await scan.figures
        let about = LiveReport.About(
            variant: setup.plan.strategy,
            reader: setup.plan.firstReader,
            source: "\(source): \(sequence.text)",
            framesPerSecond: rate,
            pace: live.pace.rawValue,
            seen: figures.seen,
            read: figures.read,
            booksPerMinute: figures.booksPerMinute,
            alerts: await raised.value
        )
        return (LiveReport(figures: figures, about: about), interruption.signal)
    }

    private static func tell(_ alerts: AsyncStream<AlertChange>?) async -> Int {
        guard let alerts else { return 0 }
        var raised = 0
        for await change in alerts {
            if case .raised = change { raised += 1 }
            if let text = AdaptiveReader.Event.alert(change).text { Console.standardError(text) }
        }
        return raised
    }
}
