import ArgumentParser
import Basics
import BookCatalogue
import CommandSupport
import Composition
import DeviceSimulation
import Foundation
import Harness
import Results
import ScanningPipeline
import ScanningPolicies

extension ScanCommand {
    func runLive(_ source: String) async throws {
        let pictures = source.hasPrefix("pan:") ? String(source.dropFirst(4)) : source
        let inputs = [pictures, options.catalogue] + library.files
        if let log = options.egressLog { _ = try OutputFile(log, option: "--egress-log", over: inputs) }
        let tape = try live.trace.map { try TraceFile(OutputFile($0, option: "--trace", over: inputs).path) }
        if source.hasPrefix("pan:") { Console.standardError("Drawing the frames.") }
        let sequence = try FrameSequence(source, pictures: live.pictures, seed: live.seed)
        let store = try LibraryStore(path: library.path())
        let setup = try ScanSetup(options, store: store)
        if !json { print("\(setup.plan.strategy.rawValue): \(setup.plan.reason)") }
        let work = Task {
            try await live.pace == .real
                ? scanLive(sequence, source, with: setup, clock: ContinuousClock(), tape)
                : scanLive(sequence, source, with: setup, clock: StepClock(), tape)
        }
        let result = await work.result
        var (report, signal) = try result.get()
        report.about.waiting = try store.waitingScans().count
        report.about.bytesOut = setup.ledger.totals().bytesOut
        report.about.badge = setup.ledger.badge
        if signal == nil, live.simulate, let path = live.trace {
            report.about.simulated = try comparisons(of: path, sequence, strategy: setup.plan.strategy)
        }
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
        clock: C,
        _ tape: TraceFile?
    ) async throws -> (LiveReport, signal: Int32?) where C.Duration == Duration {
        let rate = live.rate(of: sequence)
        let start = clock.now
        let heat = live.heat
        let thermalState: @Sendable () -> ThermalState = {
            heat?.state(at: start.duration(to: clock.now) / .seconds(1)) ?? .nominal
        }
        let trace = tape.map { tape in
            let host = HostDescription.current()
            return TraceRecorder(
                device: host.cpu,
                system: host.operatingSystem,
                app: ProgramVersion.tool,
                clock: clock,
                conditions: { .init(thermalState: thermalState(), memoryBytes: ResidentMemory.bytes()) },
                write: tape.write
            )
        }
        // An adaptive reader watches itself.
        let monitor =
            options.adaptive
            ? nil : PerformanceMonitor(targets: ModelTarget.tiers, batteryPercentPer30Minutes: setup.battery)
        let guide = live.guide ?? (sequence.views == nil ? nil : FrameSequence.strip)
        let camera = FrameSource(
            count: live.seconds.map { max(1, Int(($0 * Double(rate)).rounded())) } ?? sequence.count(at: rate),
            settings: .init(
                framesPerSecond: rate,
                idleLimit: .seconds(live.idleLimit),
                guide: guide.map { Guide(share: $0) }
            ),
            clock: clock
        ) { try sequence.picture(of: $0, at: rate) }
        let scan = LiveScan(
            ScanningCoordinator(
                session: setup.session,
                gate: live.hasGate ? PresenceGate() : nil,
                thermalPolicy: live.policy,
                thermalState: thermalState,
                trace: trace,
                monitor: monitor
            ),
            of: camera,
            clock: clock,
            trace: trace
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
        if let problem = await trace?.problem { Console.error("--trace \(live.trace ?? ""): \(problem)") }
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

    private func comparisons(
        of trace: String,
        _ sequence: FrameSequence,
        strategy: ScanStrategy
    ) throws -> [RecordedSession.Comparison] {
        let session = try RecordedSession(trace: InputFile.bytes(trace), file: trace)
        guard !session.readings.isEmpty else { return [] }
        var plan = try sequence.plan(
            at: live.rate(of: sequence),
            strategy: strategy,
            gate: live.hasGate ? PresenceGate() : nil
        )
        (plan.thermalPolicy, plan.idleLimit) = (live.policy, live.idleLimit)
        return try session.comparisons(with: plan, on: DeviceOptions.library().named(PhoneBattery.standard).values())
    }
}

/// A recording of a live scan that is written line by line.
private struct TraceFile: Sendable {
    let write: @Sendable (Data) throws -> Void

    init(_ path: String) throws(HarnessError) {
        do {
            try Data().write(to: URL(filePath: path))
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            write = { try file.write(contentsOf: $0) }
        } catch {
            throw .configuration(
                "--trace \(path) cannot be written: \(error.systemReason); specify a file in a writable folder"
            )
        }
    }
}
