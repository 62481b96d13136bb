import ArgumentParser
import Basics
import CommandSupport
import Documents
import Evaluation
import Foundation
import Harness
import SpineDatasets
import Systems

struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate scanning sessions on phones: frames, heat, battery, books (modelled).",
        discussion: """
            Examples:

              spinebench simulate --device "iPhone 12" --latency 25,60
              spinebench simulate --device "iPhone 12" --run Reports/runs/standard --variant fast

            Manual: Docs/DEVICES.md#what-is-modelled.
            """
    )

    @Option(
        name: .customLong("device"),
        help: .value("name", "Device, or profile file (repeatable).")
    )
    var names: [String] = []

    @OptionGroup var profiles: DeviceOptions

    @Option(help: .value("p50,p95", "Assumed P50 and P95 of a reading there, log-normal, in ms."))
    var latency: LatencyArgument?

    @Option(
        name: .customLong("run"),
        help: .value("dir", "Run whose readings are scaled to the device, instead of --latency.")
    )
    var path: String?

    @Option(help: "Measurement of --run, if it has several.")
    var variant: String?

    @Option(name: .customLong("image-share"), help: "Share of the latency on the CPU; the rest is inference.")
    var imageShare: Double = 0.25

    @Option(help: "Assumed response time of the back end, in ms.")
    var wait: Double = 0

    @OptionGroup(title: "Session")
    var options: SimulationOptions

    @Option(help: "Seed of the draws.")
    var seed: UInt64 = 1

    @Flag(name: .customLong("json"), help: "Print all as JSON.")
    var isJSON = false

    @Option(help: .value("file", "CSV file for the nominal time series."))
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
        ])
    }

    func run() throws {
        let plan = try options.plan
        let sessions = try sessions(plan)
        if let csv {
            // None of the profiles and the run's files that are read.
            let run = path.map(OutputFile.files(ofRun:)) ?? []
            let file = try OutputFile(csv, option: "--csv", over: devices + run)
            let text = sessions.enumerated().map { $1.nominal.csv(device: $1.device, hasHeader: $0 == 0) }.joined()
            try file.write(Array(text.utf8))
        }
        if isJSON { return print(try JSONText.of(sessions)) }
        print(assumption + ".\n")
        let tables = [SessionTables.devices(sessions)] + (sessions.count == 1 ? SessionTables.detail(sessions[0]) : [])
        print(tables.map { $0.terminal(width: Console.width) }.joined(separator: "\n\n"))
    }

    private func sessions(_ plan: SessionPlan) throws -> [DeviceSessions] {
        let devices = try simulatedProfiles()
        if let path {
            let run = try RunCosts(path, variant: variant, plan: plan)
            return try devices.map { profile in
                let sessions = try run.sessions(on: profile, seed: seed, memory: options.memory)
                return DeviceSessions(sessions, device: profile.name, seed: seed)
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
            let draws = Draws(profile.figures, relevant: [], seed: seed)
            let sessions = try draws.all.map { try Session(plan, $0, costs: costs) }
            return DeviceSessions(sessions, device: profile.name, seed: seed)
        }
    }

    private func simulatedProfiles() throws -> [DeviceProfile] {
        func isPath(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".json") }
        let library = devices.allSatisfy(isPath) ? nil : try profiles.library()
        return try devices.compactMap { name in
            try isPath(name) ? DeviceProfile(file: name) : library?.named(name)
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

/// `25,60`: the median and the 95th percentile in ms.
struct LatencyArgument: ExpressibleByArgument {
    var p50: Double
    var p95: Double

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let p50 = parts[0], let p95 = parts[1], p50 > 0, p95 >= p50, p95.isFinite else {
            return nil
        }
        (self.p50, self.p95) = (p50, p95)
    }
}
