import ArgumentParser
import AsyncHTTPClient
import Basics
import Foundation
import NIOCore
import NIOHTTP1
import Talaria

struct CrashCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash",
        abstract: "Kill clients and their server (signal 9) at random moments, and check every spine at the end.",
        discussion: """
            Clients that share a library scan and drain continuously; killed processes are restarted. Then \
            all processes finish. The exit code is 1 when a spine whose scan had returned is not in the library, when \
            one is duplicated, or when anything is left over on either side.
            """
    )

    @Option(help: "Number of processes to kill.")
    var kills = 1_000

    @Option(help: "Number of parallel clients of one library.")
    var clients = 2

    @Option(help: "Random seed of the kills.")
    var seed: UInt64 = 1

    @Option(help: "The longest time between two kills, in milliseconds.")
    var longest = 400

    func validate() throws {
        try require(
            kills > 0 && (1...16).contains(clients) && longest > 0,
            "Invalid --kills, --longest or --clients: expected --kills and --longest above 0, and --clients 1 to 16."
        )
    }

    func run() async throws { try await withTemporaryFolder("crash", check) }

    private func check(in folder: URL) async throws {
        let start = ContinuousClock.now
        var random = SplitMix64(state: seed)
        let processes = try CheckProcesses(folder: folder)
        var server = try await processes.startServer(waits: true)
        var hours = 0.0
        /// Excludes a spine that was in progress at a kill from further scans.
        func client(from first: Int) throws -> CheckProcesses.Client {
            hours += 0.5
            let variant = ["hybrid", "talaria-only", "vision-fallback"].randomElement(using: &random) ?? "hybrid"
            let count = max(0, CheckProcesses.books - first) / clients
            return try processes.startClient(variant, first: first, stride: clients, count: count, hours: hours)
        }
        var running = try (0..<clients).map(client)
        var killed = (server: 0, client: 0)
        while killed.server + killed.client < kills {
            try await Task.sleep(for: .milliseconds(Int.random(in: 1...longest, using: &random)))
            let victim = Int.random(in: 0...clients, using: &random)
            if victim == clients {
                await server.end(by: SIGKILL)
                server = try await processes.startServer(waits: false)
                killed.server += 1
            } else {
                await running[victim].process.end(by: SIGKILL)
                running[victim] = try client(from: running[victim].next)
                killed.client += 1
            }
        }
        for client in running { await client.process.end(by: SIGKILL) }
        await server.end(by: SIGKILL)
        server = try await processes.startServer(waits: true)
        try await processes.drain(hours: hours + 24)
        // Jobs whose client was killed before it could clean up end by themselves.
        let audit = try await processes.audit(ending: server)
        print(
            "\(killed.client) kills of clients, \(killed.server) of servers, seed \(seed), "
                + "\(start.duration(to: .now)); \(audit)"
        )
        try end([], isGood: audit.isGood)
    }
}

struct ClientsCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "Run several clients that scan and drain on one library, and check every spine.",
        discussion: "The exit code is 1 when a spine is not in the library or duplicated, or anything is left over."
    )

    @Option(help: "Number of parallel clients of one library.")
    var clients = 2

    @Option(help: "Number of spines per client.")
    var spines = 50

    func run() async throws { try await withTemporaryFolder("clients", check) }

    private func check(in folder: URL) async throws {
        let processes = try CheckProcesses(folder: folder)
        let server = try await processes.startServer(waits: true)
        // Without the server everything waits; then all drain it at once, and continue scanning.
        await server.end(by: SIGKILL)
        for phase in 0..<2 {
            let again = phase == 1 ? try await processes.startServer(waits: true) : nil
            let running = try (0..<clients).map { number in
                try processes.startClient(
                    number % 2 == 0 ? "talaria-only" : "hybrid",
                    first: (phase * clients + number) * spines,
                    count: spines,
                    hours: Double(phase * 24),
                    drainEvery: phase
                )
            }
            for client in running { await client.process.hasEnded() }
            guard let again else { continue }
            try await processes.drain(hours: 48)
            let audit = try await processes.audit(ending: again)
            print("\(clients) clients, \(2 * clients * spines) spines; \(audit)")
            try end([], isGood: audit.isGood && audit.ended == 2 * clients * spines)
        }
    }
}

struct DiskCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disk",
        abstract: "Fill the client's disk at random file sizes, and check every spine at the end.",
        discussion: """
            A scan that cannot be saved must report that. The exit code is 1 when a spine whose scan had returned is not in the library when \
            space is available again, when one is duplicated, or when anything is left over.
            """
    )

    @Option(help: "Number of repetitions.")
    var times = 30

    @Option(help: "Random seed of the sizes.")
    var seed: UInt64 = 1

    func run() async throws { try await withTemporaryFolder("disk", check) }

    private func check(in folder: URL) async throws {
        var random = SplitMix64(state: seed)
        let processes = try CheckProcesses(folder: folder)
        let server = try await processes.startServer(waits: true)
        var full = 0
        for time in 0..<times {
            // Sizes from less than the database's head to room for about a dozen spines in its journal.
            let size = (try? FileManager.default.attributesOfItem(atPath: processes.library)[.size] as? Int) ?? 0
            let client = try processes.startClient(
                ["talaria-only", "hybrid", "vision-fallback"][time % 3],
                first: time * 20,
                count: 20,
                hours: Double(time),
                fileLimit: Int.random(in: 1_000...(size + 200_000), using: &random)
            )
            await client.process.hasEnded()
            if client.process.terminationStatus != 0 { full += 1 }
        }
        try await processes.drain(hours: Double(times + 24))
        let audit = try await processes.audit(ending: server)
        print("the disk was full in \(full) of \(times) clients, seed \(seed); \(audit)")
        try end([], isGood: audit.isGood && full > 0)
    }
}

struct KillCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill",
        abstract: "Kill a server (signal 9) that has accepted scans, restart it, and check the scans.",
        discussion: "The exit code is 1 when an accepted scan has no result, or when a picture is left over."
    )

    @Option(help: "The server program.")
    var talaria = ".build/release/talaria"

    @Option(help: "A folder of photos.")
    var photos = "Datasets/spines-1/images"

    @Option(help: "Scans that are accepted before the server is killed.")
    var scans = 10

    func run() async throws { try await withTemporaryFolder("kill", check) }

    private func check(in folder: URL) async throws {
        let photos = try PhotoFolder(path: photos)
        let (first, probe) = try await start(in: folder)
        var jobs: [(job: ScanAccepted, device: String)] = []
        for index in 0..<scans {
            let device = UUID().uuidString
            let response = try await probe.upload(photos[index], device: device)
            guard response.status == .accepted else { throw CheckFailure("status \(response.status.code)") }
            jobs.append((try await ScanProbe.job(response), device))
        }
        await first.end(by: SIGKILL)
        let images = folder.appending(path: "images").path
        let left = CheckProcesses.pictures(in: images).count

        let (second, later) = try await start(in: folder)
        var tally = ScanTally()
        for (job, device) in jobs { tally.add(try await later.follow(job, device: device, since: .now)) }
        await second.end(by: SIGTERM)
        let after = CheckProcesses.pictures(in: images).count
        print(
            "\(scans) accepted, killed with \(left) folders and pictures; then \(tally.latencies.count) done, \(after) left."
        )
        try end(tally.losses, isGood: after == 0)
    }

    private func start(in folder: URL) async throws -> (Process, ScanProbe) {
        let portFile = folder.appending(path: "port-\(UUID().uuidString)").path
        let process = try Process.start(
            talaria,
            [
                "serve", "--port", "0", "--port-file", portFile, "--data", folder.appending(path: "data").path,
                "--images", folder.appending(path: "images").path, "--queue", "\(scans)", "--rate-limit", "off",
                "--log-level", "error",
            ]
        )
        return (process, ScanProbe(client: .shared, url: try await process.address(in: portFile)))
    }
}
