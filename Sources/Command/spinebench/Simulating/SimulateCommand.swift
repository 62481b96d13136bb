import ArgumentParser
import Basics
import Composition
import DeviceSimulation
import Evaluation
import Foundation
import Harness
import SpineDatasets

struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate scanning sessions on phones: frames, heat, battery, books (modelled).",
        discussion: """
            For example:

              spinebench simulate --device "iPhone 12" --latency 25,60
              spinebench simulate --device "iPhone 12,iPhone 15 Pro" --latency 25,60 --minutes 30 --policy interval
              spinebench simulate --device "iPhone 12" --latency 25,60 --sessions 10000
              spinebench simulate --device "iPhone 12" --run Reports/runs/standard --variant fast

            --latency gives the median and the 95th percentile of a reading on the device at full speed, as a log-normal \
            distribution: an assumption, and said so. --run draws from the readings of a run, scaled to each device. A seed gives the same session on every machine.

            Exit codes: 0 done, 2 invalid usage, profile or file, 4 something is missing on this machine.
            """
    )

    @Option(
        name: .customLong("device"),
        help: .value("name", "Device name, or path of a profile (repeatable).")
    )
    var names: [String] = []

    @OptionGroup var profiles: DeviceOptions

    @Option(help: "Device figures: nominal, or all at the favourable or adverse end of their plausible range.")
    var side: Bound = .nominal

    @Option(help: .value("p50,p95", "P50 and P95 of a reading on the device, in ms; assumed."))
    var latency: LatencyArgument?

    @Option(
        name: .customLong("run"),
        help: .value("dir", "Folder of a run, whose readings are scaled to the device, instead of --latency.")
    )
    var path: String?

    @Option(help: "Measurement of the run, where it has several.")
    var variant: String?

    @Option(name: .customLong("image-share"), help: "Share of the latency on the CPU; the remainder is inference.")
    var imageShare: Double = 0.25

    @Option(help: "Response time of the back end, in ms; assumed.")
    var wait: Double = 0

    @OptionGroup(title: "Session")
    var options: SimulationOptions

    @Option(help: "Number of sessions, each with its own seed.")
    var sessions: Int = 1

    @Option(help: "Random seed.")
    var seed: UInt64 = 1

    @Flag(name: .customLong("json"), help: "Print all as JSON.")
    var isJSON = false

    @Option(help: .value("file", "CSV file for the time series."))
    var csv: String?

    private var devices: [String] { names.flatMap(\.commaParts) }

    func validate() throws {
        try refuse([
            (names.isEmpty, "specify a device: --device \"iPhone 12\"; 'spinebench devices' lists them"),
            (
                (latency == nil) == (path == nil),
                "specify the latency: either --latency 25,60, or --run with the folder of a run"
            ),
            (variant != nil && path == nil, "--variant requires --run"),
            (!(1...1_000_000_000).contains(sessions), "invalid --sessions \(sessions): expected 1 to 1000000000"),
            (csv != nil && sessions > 1, "--csv is of one session; leave out --sessions"),
        ])
    }

    func run() throws {
        do {
            if sessions == 1 { try runOne() } else { try runMany() }
        } catch let error where error is DeviceError || error is SessionError {
            throw HarnessError.configuration("\(error)")
        }
    }

    // MARK: One session

    private func runOne() throws {
        let outcomes = try simulators().map { device, simulator in
            (device: device, outcome: simulator.run(seed: seed))
        }
        if let csv {
            // None of the profiles and the run's files that are read.
            let run = path.map(OutputFile.files(ofRun:)) ?? []
            let file = try OutputFile(csv, option: "--csv", over: devices + run)
            let text = outcomes.enumerated().map { $1.outcome.csv(device: $1.device, hasHeader: $0 == 0) }.joined()
            try file.write(Array(text.utf8))
        }
        if isJSON {
            return print(try JSONText.of(outcomes.map { DeviceSession(device: $0.device, outcome: $0.outcome) }))
        }
        print(assumption + ".")
        if options.hasGate { print(try MeasuredGate().text + ".") }
        print()
        var tables = [SessionTables.devices(outcomes)]
        if outcomes.count == 1, let only = outcomes.first {
            tables += SessionTables.detail(only.outcome, device: only.device)
        }
        print(tables.map { $0.terminal(width: Console.width) }.joined(separator: "\n\n"))
    }

    // MARK: Many

    private func runMany() throws {
        for (device, simulator) in try simulators() {
            let display = ProgressDisplay()
            display.begin(device, done: 0, total: sessions)
            var done = 0
            let series = SessionSeries(
                simulator,
                sessions: sessions,
                seed: seed,
                title: "\(device), \(side.rawValue) figures. \(assumption)"
            ) {
                done += 1
                if done.isMultiple(of: 20) { display.step(device, done: done, total: sessions) }
            }
            display.end(device)
            let table = SessionTables.tally(series.tally, title: series.title)
            print(isJSON ? try JSONText.of(series) : table.terminal(width: Console.width) + "\n")
        }
    }

    // MARK: What is simulated

    private func simulators() throws -> [(String, SessionSimulator)] {
        var plan = try options.plan
        plan.gate = plan.gate?.at(side)
        let devices = try simulatedProfiles()
        if let path {
            let run = try RunCosts(path, variant: variant, plan: plan)
            return try devices.map { profile in
                var (plan, costs) = run.session(on: profile, at: side)
                if options.memory > 0 { plan.memory = options.memory }
                return (profile.name, try SessionSimulator(plan: plan, values: profile.values(at: side), costs: costs))
            }
        }
        guard let latency else { return [] }
        let costs = try ReadingCost.logNormal(
            p50: latency.p50,
            p95: latency.p95,
            imageShare: imageShare,
            waitSeconds: wait / 1_000
        )
        return try devices.map { profile in
            (profile.name, try SessionSimulator(plan: plan, values: profile.values(at: side), costs: costs))
        }
    }

    private func simulatedProfiles() throws -> [DeviceProfile] {
        func isPath(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".json") }
        let library = devices.allSatisfy(isPath) ? nil : try profiles.library()
        return try devices.compactMap { name in
            try isPath(name) ? DeviceLibrary.profile(file: name) : library?.named(name)
        }
    }

    private var assumption: String {
        if let path {
            return
                "Readings of \([path, variant].compactMap(\.self).joined(separator: ", ")), scaled or recorded: modelled"
        }
        guard let latency else { return "" }
        let waits = wait > 0 ? ", and \(wait) ms for an answer" : ""
        return "Readings of \(latency.p50) ms (P50) and \(latency.p95) ms (P95)\(waits): assumed, log-normal"
    }
}

private struct DeviceSession: Encodable {
    var device: String
    var evidence = EvidenceClass.modelled
    var outcome: SessionOutcome
}
