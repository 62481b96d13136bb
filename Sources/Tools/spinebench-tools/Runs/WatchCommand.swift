import ArgumentParser
import Basics
import CommandSupport
import Documents
import Evaluation
import Foundation
import Harness
import ScanningPolicies
import Statistics
import Systems

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watch a run in progress.",
        discussion: "Exit codes: 0 the run is finished, 3 it was stopped before its end."
    )

    @Argument(help: .value("dir", "Folder of the run."))
    var run: String

    @Flag(help: "Print a line per update, as without a terminal.")
    var plain = false

    @Option(
        help: .value(
            "name",
            "Phone of the modelled battery, at a reading a second. (default: \(PhoneBattery.standard))"
        )
    )
    var device: String?

    func run() async throws {
        let phone = try PhoneBattery.device(device)
        let isScreen = !plain && Console.isScreen
        let interruption = Signals.interruption()
        var (screen, log) = (TerminalScreen(), WatchLog())
        defer { if isScreen { StandardOutput.write("\u{1B}[?25h") } }
        while true {
            let now = Date()
            let watched = try WatchedRun(run, now: now, phone: phone)
            if isScreen {
                let size = Console.size(of: STDOUT_FILENO) ?? (80, 24)
                StandardOutput.write(screen.frame(watched.lines(width: size.columns), rows: size.rows))
            } else {
                for line in log.news(of: watched, now: now) { print(line) }
            }
            switch watched.phase {
            case .finished: return
            case .stopped:
                Console.standardError("The run is not finished. Continue with: spinebench run --resume \(run)")
                throw ExitStatus.undecided.exitCode
            case .running: break
            }
            // Of a long run, reading the folder takes a tenth of the time at most.
            let next = Date().addingTimeInterval(max(0.5, 9 * Date().timeIntervalSince(now)))
            while Date() < next {
                if let signal = interruption.signal { throw HarnessError.interrupted(signal: signal) }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

/// State of a run by its folder, with the figures that its report would have of the readings so far.
struct WatchedRun {
    enum Phase: String {
        case running
        /// The run is unfinished, and no process writes to its folder.
        case stopped
        case finished
    }

    let name: String
    let configuration: RunConfiguration
    let phase: Phase
    /// Seconds since the start of the run; nil if the start is unknown.
    let elapsedSeconds: Double?
    /// Sentence about a long time without progress; nil for a finished run.
    let silence: String?
    let measurements: [WatchedMeasurement]

    private static let longSilence = 10.0

    /// Reads a run's folder at a time; `phone` is the one whose battery is modelled.
    init(_ path: String, now: Date, phone: (name: String, values: DeviceValues)? = nil) throws {
        let contents = try RunFolder.contents(path)
        let changes = [RunFolder.Name.configuration, RunFolder.Name.events, RunFolder.Name.samples].compactMap { name in
            (try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)"))?[.modificationDate] as? Date
        }
        let silentSeconds = max(0, now.timeIntervalSince(changes.max() ?? .distantPast))
        let isWritten = silentSeconds < Self.longSilence || RunFolder.isBeingWritten(path)
        func date(_ event: RunEvent?) -> Date? { event.flatMap { try? Date($0.time, strategy: .iso8601) } }
        let events = contents.events
        let isFinished =
            events.last { [.runStarted, .runResumed, .runFinished].contains($0.kind) }?.kind == .runFinished
        (name, configuration) = (URL(filePath: path).standardizedFileURL.lastPathComponent, contents.configuration)
        phase = isFinished ? .finished : isWritten ? .running : .stopped
        let end = isFinished ? date(events.last) : isWritten ? now : now.addingTimeInterval(-silentSeconds)
        elapsedSeconds = date(events.first { $0.kind == .runStarted }).flatMap { start in
            end.map { max(0, $0.timeIntervalSince(start)) }
        }
        let rest =
            isWritten
            ? "; the run's process is still running"
            : ", and no process writes to the folder: the run was stopped or killed"
        let isSilent = !isFinished && silentSeconds >= Self.longSilence
        silence = isSilent ? "no progress for \(NumberText.span(seconds: silentSeconds))\(rest)" : nil
        let records = Dictionary(grouping: contents.records, by: \.measurement)
        measurements = contents.configuration.measurements.map { measurement in
            WatchedMeasurement(
                measurement,
                events: events,
                records: (records[measurement.id] ?? []).filter { $0.outcome != .notAttempted },
                method: contents.configuration.percentileMethod,
                phone: phone
            )
        }
    }

    var done: Int { measurements.reduce(0) { $0 + $1.records.count } }

    /// Seconds left of a running run at the pace of each measurement, or else at the mean pace of the others; nil when
    /// unknown.
    var secondsLeft: Double? {
        let paces = measurements.compactMap(\.pace)
        guard phase == .running, !paces.isEmpty else { return nil }
        let left = measurements.filter { $0.stage != .done && $0.stage != .abandoned }.map { measurement in
            measurement.left.map { Double($0) * (measurement.pace ?? paces.reduce(0, +) / Double(paces.count)) }
        }
        return left.contains(nil) ? nil : left.reduce(0) { $0 + ($1 ?? 0) }
    }

    /// Lines of a terminal, none wider than it.
    func lines(width: Int) -> [String] {
        let times = [
            elapsedSeconds.map { NumberText.span(seconds: $0) },
            secondsLeft.map { "about \(NumberText.span(seconds: $0)) left" },
        ]
        let head = "\(name)  \(([phase.rawValue] + times.compactMap(\.self)).joined(separator: " · "))"
        let sources = [configuration.tool, configuration.suite.map { "suite \($0)" }].compactMap(\.self)
        let alerts = measurements.flatMap(\.alerts).suffix(6)
        let lines =
            [head, (sources + configuration.datasets.map(\.name)).joined(separator: " · "), silence].compactMap(\.self)
            + measurements.flatMap { $0.block(width: width, isRunning: phase == .running) }
            + (alerts.isEmpty ? [] : ["", "Alerts"] + alerts.map { "  " + $0 })
        return lines.map { TextWidth.cut(PlainLine.of($0), to: width) }.enumerated().map { index, line in
            index == 0 ? Console.coloured(line, phase == .stopped ? .red : .green) : line
        }
    }
}

/// Measurement of a watched run.
struct WatchedMeasurement {
    enum Stage: String {
        case waiting
        /// The worker loads and warms up.
        case loading
        case reading, done, abandoned
    }

    let id: String
    let stage: Stage
    /// Attempted readings.
    let records: [SampleRecord]
    /// Planned number of readings; nil if time decides, or it is unknown.
    let total: Int?
    let lostWorkers: Int
    let latency: LatencySummary
    let memory: MemorySummary.Level
    let target: ModelTarget?
    let alerts: [String]
    /// Mean seconds of a reading with its overhead; nil without readings.
    let pace: Double?
    let battery: PhoneBattery.Minute?
    private let method: PercentileMethod
    private var timed: [SampleRecord] { records.filter(\.isTimed) }

    init(
        _ measurement: Harness.Measurement,
        events: [RunEvent],
        records: [SampleRecord],
        method: PercentileMethod,
        phone: (name: String, values: DeviceValues)?
    ) {
        (id, self.records, self.method) = (measurement.id, records, method)
        let own = events.filter { $0.measurement == measurement.id }
        stage = Self.stage(
            events.filter { [nil, measurement.id].contains($0.measurement) },
            hasRecords: !records.isEmpty
        )
        total = events.compactMap { $0.planned?[measurement.id] }.last
        lostWorkers = own.count { $0.kind == .workerLost }
        latency = LatencySummary(records, method: method)
        memory = MemorySummary(events: own, records: records).counted
        let tier = measurement.variant.tier
        target = tier.flatMap { ModelTarget.named($0 == "enrich" ? "enrichment" : $0) }
        let ends = Self.ends(records)
        pace = ends.last.flatMap { $0 > 0 ? $0 / Double(records.count) : nil }
        func use(_ records: [SampleRecord]) -> PhoneBattery.Minute? {
            func mean(_ figure: (SampleRecord) -> Double) -> Double {
                records.reduce(0) { $0 + figure($1) } / Double(records.count)
            }
            guard let phone, !records.isEmpty else { return nil }
            return PhoneBattery.perMinute(milliseconds: mean { $0.milliseconds ?? 0 }, cores: mean(\.cores), on: phone)
        }
        battery = use(records.filter(\.isTimed))
        guard let target else {
            alerts = []
            return
        }
        var window = PerformanceWindow(target: target, percentileRule: method)
        alerts = zip(records, ends).filter(\.0.isTimed).flatMap { record, end in
            window.add(
                InferenceMetrics(
                    time: .seconds(end),
                    latency: .milliseconds(record.milliseconds ?? 0),
                    memoryBytes: record.memory?.counted?.bytes,
                    batteryPercentPer30Minutes: use([record]).map { $0.reader * 30 }
                )
            ).map { change in
                switch change {
                case .raised(let alert): "\(alert.severity): \(alert.message)"
                case .recovered(let alert): "over: \(alert.message)"
                }
            }
        }
    }

    private static func stage(_ events: [RunEvent], hasRecords: Bool) -> Stage {
        let stage = events.reduce(Stage.waiting) { stage, event in
            switch event.kind {
            case .measured: .done
            case .ready where stage != .done: .loading
            case .began where stage != .done: .reading
            case .abandoned: .abandoned
            // It is tried again.
            case .runResumed where stage == .abandoned: .waiting
            default: stage
            }
        }
        return hasRecords && (stage == .waiting || stage == .loading) ? .reading : stage
    }

    /// Ends of readings in seconds of counted time, with one worker's time after the other's.
    private static func ends(_ records: [SampleRecord]) -> [Double] {
        var (worker, before, last) = (records.first?.worker, 0.0, 0.0)
        return records.map { record in
            if record.worker != worker { (worker, before) = (record.worker, last) }
            let seconds = (record.milliseconds ?? 0) / 1_000
            // Readings side by side do not end in the order in which they began.
            last = min(1e9, max(last, record.atSeconds.map { before + $0 + seconds } ?? last + seconds))
            return last
        }
    }

    /// Number of readings left; nil if it is unknown.
    var left: Int? { total.map { max(0, $0 - records.count) } }

    /// Figures, without those that are not known yet.
    func text(isRunning: Bool) -> String {
        let done = total.map { "\(records.count) of \($0) readings" } ?? NumberText.count(records.count, "reading")
        let isActive = isRunning && (stage == .reading || stage == .loading)
        let seconds = left.flatMap { left in pace.map { Double(left) * $0 } }
        let failed = records.count { $0.outcome != .read }
        let parts = [
            stage.rawValue, done, isActive ? seconds.map { "\(NumberText.span(seconds: $0)) left" } : nil,
            latency.p50.point.value.map { "P50 \(NumberText.milliseconds($0))" },
            latency.p95.point.value.map { "P95 \(NumberText.milliseconds($0))" },
            memory.after.value.map(NumberText.megabytes),
            battery.map { "battery \(NumberText.fixed($0.all, 2)) %/min (modelled)" },
            failed > 0 ? "\(failed) failed" : nil,
            lostWorkers > 0 ? "\(NumberText.count(lostWorkers, "worker")) lost" : nil,
        ]
        return "\(id): " + parts.compactMap(\.self).joined(separator: ", ")
    }

    /// Lines of a terminal.
    func block(width: Int, isRunning: Bool) -> [String] {
        let columns = max(8, min(60, width - 40))
        let p95s = series(columns) { Percentile.value(95, of: $0.compactMap(\.milliseconds).sorted(), method: method) }
        let footprints = series(columns) { $0.compactMap { $0.memory?.counted?.bytes }.max().map(Double.init) }
        let limit = target.map { "target < \(NumberText.milliseconds($0.p95Milliseconds))" } ?? ""
        let peak = memory.peak.value.map { "peak \(NumberText.megabytes($0))" } ?? ""
        return ["", ProgressBar.line("", done: records.count, total: total, news: [], width: min(width, 60))]
            + TextWidth.wrapped(text(isRunning: isRunning), to: width)
            // Memory is scaled from its minimum: small changes of much memory are relevant.
            + [("P95", p95s, 0, limit), ("footprint", footprints, footprints.min() ?? 0, peak)].compactMap {
                $1.isEmpty ? nil : "  \(TextWidth.padded($0, to: 10))\(Sparkline.of($1, from: $2))  \($3)"
            }
    }

    /// Fewest readings of a point of a series: with fewer, P50 and P95 would be equal.
    private static let leastReadings = 5

    /// Returns a figure over the run, each point of the same share of readings.
    func series(_ columns: Int, _ figure: ([SampleRecord]) -> Double?) -> [Double] {
        let timed = timed
        let count = min(columns, (timed.count + Self.leastReadings - 1) / Self.leastReadings)
        return (0..<count).compactMap { column in
            figure(Array(timed[(column * timed.count / count)..<((column + 1) * timed.count / count)]))
        }
    }
}

extension SampleRecord {
    fileprivate var isTimed: Bool { outcome == .read && milliseconds != nil }

    /// Mean number of CPU cores in use during the reading; 1 if it was not measured.
    fileprivate var cores: Double {
        guard let milliseconds, milliseconds > 0, let cpu = prediction?.cpuMilliseconds else { return 1 }
        return cpu / milliseconds
    }
}

/// What a log of a watched run has printed.
struct WatchLog {
    private var known: Set<String> = []
    private var done: Int?
    private var printedAt = Date.distantPast

    private static let pause = 5.0

    /// Returns the new lines; often none.
    mutating func news(of run: WatchedRun, now: Date) -> [String] {
        let totals = run.measurements.map(\.total)
        let total = totals.contains(nil) ? nil : totals.reduce(0) { $0 + ($1 ?? 0) }
        let done = total.map { "\(run.done) of \($0) readings" } ?? NumberText.count(run.done, "reading")
        let isRunning = run.phase == .running
        var lines = [(run.phase.rawValue, "\(run.name): \(run.phase.rawValue), \(done)")]
        lines += run.measurements.filter { $0.stage != .waiting }.map {
            ("\($0.id) \($0.stage) \($0.lostWorkers)", $0.text(isRunning: isRunning))
        }
        lines += run.measurements.flatMap { measurement in
            measurement.alerts.enumerated().map { ("\(measurement.id) \($0)", "\(measurement.id): \($1)") }
        }
        if let silence = run.silence { lines.append(("silence \(run.done)", "\(run.name): \(silence)")) }
        var news = lines.filter { known.insert($0.0).inserted }.map(\.1)
        if news.isEmpty, run.done != self.done, now.timeIntervalSince(printedAt) >= Self.pause {
            news = run.measurements.filter { $0.stage == .reading }.map { $0.text(isRunning: isRunning) }
        }
        if !news.isEmpty { (self.done, printedAt) = (run.done, now) }
        return news.map(PlainLine.of)
    }
}

enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// Returns a block character for each number: the lowest for `bottom`, the highest for the largest.
    static func of(_ values: [Double], from bottom: Double) -> String {
        let height = (values.max() ?? 0) - bottom
        return String(
            values.map { value in
                blocks[
                    height > 0
                        ? max(0, min(blocks.count - 1, Int((value - bottom) / height * Double(blocks.count)))) : 0
                ]
            }
        )
    }
}

extension PhoneBattery {
    /// Modelled battery use of a minute, in percent.
    struct Minute: Equatable {
        /// Of all consumers: system, display, camera and reader.
        var all: Double
        var reader: Double
    }

    /// Returns the battery use of a minute of scanning with one reading a second, the device cool and at full speed.
    ///
    /// `milliseconds`: of a reading, as measured here. `cores`: of the CPU that worked meanwhile, as here; no other
    /// unit is assumed to take as long.
    static func perMinute(
        milliseconds: Double,
        cores: Double,
        on device: (name: String, values: DeviceValues)
    ) -> Minute {
        let busySeconds = 60 * min(1, milliseconds / 1_000) * cores
        let reader = reader(busySeconds: busySeconds, device.values)
        var all = reader
        all.base = 60 * device.values[.basePower]
        all.display = 60 * device.values[.displayPower]
        all.camera = 60 * device.values[.cameraPower]
        return Minute(all: all.percent(of: device.values), reader: reader.percent(of: device.values))
    }
}

/// A part of the terminal that is drawn again and again, and left there at the end.
private struct TerminalScreen {
    private var drawn = 0

    /// Returns the control sequence of a frame, which draws each line over the last drawing.
    mutating func frame(_ lines: [String], rows: Int) -> String {
        let shown = lines.prefix(max(1, rows - 1))
        var text = "\u{1B}[?25l" + (drawn > 0 ? "\r\u{1B}[\(drawn)A" : "")
        // The rest of an old line goes after the new one, so that nothing flickers.
        for line in shown { text += line + "\u{1B}[K\n" }
        drawn = shown.count
        return text + "\u{1B}[J"
    }
}
