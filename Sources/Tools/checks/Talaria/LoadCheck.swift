import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore

struct LoadCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Send scans one by one, many at once, and more than the server can process.",
        discussion: """
            Start the server with '--rate-limit off'. Prints a Markdown table in milliseconds. The exit code is 1 when a scan \
            is lost, when overload is answered with anything but 202 or 429, when the P99 of accepted scans under \
            overload is above twice the unloaded one, or when a text takes longer than its limit.
            """
    )

    @OptionGroup var server: ProbedServer

    @Option(help: "A folder of photos.")
    var photos = "Datasets/spines-1/images"

    @Option(help: "Number of scans sent one by one.")
    var unloaded = 30

    @Option(help: "Number of scans sent at once.")
    var scans = 64

    @Option(help: "Number of texts sent one by one.")
    var texts = 200

    @Option(help: "Duration of the overload, in seconds.")
    var overloadSeconds = 15.0

    @Option(help: "Arrival rate under overload, in multiples of the server's capacity.")
    var factor = 4.0

    @Option(help: "Maximum P95 of a text, in milliseconds.")
    var textLimit = 20.0

    func validate() throws {
        try require(
            unloaded > 0 && scans > 0 && texts > 0 && overloadSeconds > 0 && factor > 0,
            "Invalid option: expected --unloaded, --scans, --texts, --overload-seconds and --factor above 0."
        )
    }

    func run() async throws {
        let photos = try PhotoFolder(path: photos)
        try await server.probe { try await check($0, photos) }
    }

    private func check(_ probe: ScanProbe, _ photos: PhotoFolder) async throws -> [String] {
        var failures: [String] = []
        print(Latencies.head(""))

        // The first few open the connection.
        _ = try await probe.textLatencies(5)
        let text = try await probe.textLatencies(texts)
        print(text.row("text, one by one"))
        if let p95 = text.percentile(95), p95 > textLimit {
            failures.append("P95 of a text above \(textLimit) ms")
        }

        var alone = ScanTally()
        for index in 0..<unloaded { alone.add(await probe.scan(photos[index])) }
        print(alone.latencies.row("scan, one by one"))
        print(alone.around.row("… without the engine"))
        failures += alone.losses.map { "one by one: \($0)" }

        let start = ContinuousClock.now
        let burst = try await burst(probe, photos)
        let seconds = start.duration(to: .now) / .seconds(1)
        let capacity = Double(burst.latencies.count) / seconds
        print(burst.latencies.row("scan, \(scans) at once, refused ones again"))
        failures += burst.losses.map { "at once: \($0)" }

        let overload = try await overload(probe, photos, perSecond: capacity * factor)
        print(overload.latencies.row("scan, accepted under overload"))
        print(
            """

            At once: \(burst.latencies.count) of \(scans) done, \(burst.losses.count) lost, \(seconds) s: \
            \(capacity) a second.
            Overload, \(capacity * factor) a second: \(overload.latencies.count) accepted, \(overload.refused) refused, \
            \(overload.losses.count) neither.
            """
        )
        failures += overload.losses.map { "overload: \($0)" }
        if let loaded = overload.latencies.percentile(99), let calm = alone.latencies.percentile(99), loaded > 2 * calm
        {
            failures.append("P99 under overload is \(loaded / calm) times the unloaded one")
        }
        return failures
    }

    private func burst(_ probe: ScanProbe, _ photos: PhotoFolder) async throws -> ScanTally {
        try await withThrowingTaskGroup(of: ScanProbe.Outcome.self) { group in
            for index in 0..<scans { group.addTask { try await probe.scanUntilAccepted(photos[index]) } }
            return try await group.reduce(into: ScanTally()) { $0.add($1) }
        }
    }

    /// Sends arrivals that do not wait for answers: a server's excess work accumulates, or is refused.
    private func overload(_ probe: ScanProbe, _ photos: PhotoFolder, perSecond: Double) async throws -> ScanTally {
        let count = Int(overloadSeconds * perSecond)
        let start = ContinuousClock.now
        return try await withThrowingTaskGroup(of: ScanProbe.Outcome.self) { group in
            for index in 0..<count {
                group.addTask {
                    try await Task.sleep(until: start + .seconds(Double(index) / perSecond), clock: .continuous)
                    return await probe.scan(photos[index])
                }
            }
            return try await group.reduce(into: ScanTally()) { $0.add($1) }
        }
    }
}

struct FairCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fair",
        abstract: "Send short texts from one device while another one sends the most expensive requests.",
        discussion: """
            Start the server with '--rate-limit off'. Prints a Markdown table in milliseconds. The exit code is 1 when the P99 of \
            the short texts is above three times their P99 alone, or when one of them is not answered.
            """
    )

    @OptionGroup var server: ProbedServer

    @Option(help: "Number of short texts, alone and during the attack.")
    var texts = 400

    @Option(help: "Number of parallel long texts.")
    var attackers = 6

    @Option(help: "Maximum growth factor of the P99.")
    var factor = 3.0

    func validate() throws {
        try require(
            texts > 0 && attackers > 0 && factor > 0,
            "Invalid --texts, --attackers or --factor: expected more than 0."
        )
    }

    func run() async throws { try await server.probe(check) }

    private func check(_ probe: ScanProbe) async throws -> [String] {
        var failures: [String] = []
        print(Latencies.head(""))
        // The first few open the connection.
        let device = UUID()
        _ = try await probe.textLatencies(20, device: device)
        let alone = try await probe.textLatencies(texts, device: device)
        print(alone.row("text, alone"))
        guard let calm = alone.percentile(99) else { return ["no text was answered"] }
        for attack in Attack.all {
            let (loaded, long) = try await beside(attack, probe)
            print(loaded.row("text, beside \(attack.name)"))
            print(long.row("… which take"))
            let growth = (loaded.percentile(99) ?? .infinity) / calm
            if growth > factor { failures.append("beside \(attack.name), the P99 is \(growth) times the one alone") }
        }
        return failures
    }

    private func beside(_ attack: Attack, _ probe: ScanProbe) async throws -> (short: Latencies, long: Latencies) {
        // Made once, and the answers thrown away: this program is to cost little beside the server.
        let request = try probe.enrichment(attack.text, device: UUID())
        let attackers = (0..<attackers).map { _ in
            Task {
                var seconds: [Double] = []
                while !Task.isCancelled {
                    let start = ContinuousClock.now
                    guard let response = try? await probe.client.execute(request, timeout: .seconds(60)),
                        (try? await response.body.collect(upTo: 1 << 20)) != nil
                    else { continue }
                    seconds.append(start.duration(to: .now) / .seconds(1))
                }
                return seconds
            }
        }
        defer { for attacker in attackers { attacker.cancel() } }
        try await Task.sleep(for: .milliseconds(300))
        let short = try await probe.textLatencies(texts, device: UUID())
        var long: [Double] = []
        for attacker in attackers {
            attacker.cancel()
            long += await attacker.value
        }
        return (short, Latencies(seconds: long))
    }
}

/// A text that costs a server as much as any of its size can.
private struct Attack: Sendable {
    var name: String
    var text: String

    /// Maximum length of a body.
    private static let bytes = 65_000

    static let all = [
        Attack(name: "one long word", text: String(repeating: "philippullman", count: bytes / 13)),
        Attack(name: "many common words", text: lines(of: ["the", "book", "history", "great", "house", "stories"])),
        Attack(
            name: "many long words",
            text: lines(of: ["internationalization", "straightforwardness", "contemporaries"])
        ),
        Attack(name: "flags", text: "a" + String(repeating: "\u{1F1E6}\u{1F1E7}", count: bytes / 8 - 1)),
        Attack(name: "numbers", text: String(repeating: "9780441172719 ", count: bytes / 14)),
    ]

    private static func lines(of words: [String]) -> String {
        var text = ""
        var index = 0
        while text.utf8.count < bytes {
            text += words[index % words.count] + (index % 8 == 7 && index / 8 < 98 ? "\n" : " ")
            index += 1
        }
        return text
    }
}
