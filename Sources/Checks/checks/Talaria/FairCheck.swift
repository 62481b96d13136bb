import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore

struct FairCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fair",
        abstract: "Sends short texts from one device while another sends the worst that it can.",
        discussion: """
            Start the server with '--rate-limit off'. Prints a Markdown table in milliseconds. Ends with 1 when the P99 of \
            the short texts is above three times the one that they have alone, or when one of them is not answered.
            """
    )

    @Option(help: "The server's address.")
    var url: String

    @Option(help: "Short texts, alone and beside the others.")
    var texts = 400

    @Option(help: "Long texts that are under way at any time.")
    var attackers = 6

    @Option(help: "The most that the P99 may grow by.")
    var factor = 3.0

    func validate() throws {
        guard texts > 0, attackers > 0, factor > 0 else {
            throw ValidationError("--texts, --attackers and --factor are more than 0.")
        }
    }

    func run() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 512
        let client = HTTPClient(configuration: configuration)
        let probe = ScanProbe(client: client, url: url.hasSuffix("/") ? String(url.dropLast()) : url)
        do {
            let failures = try await check(probe)
            try await client.shutdown()
            for failure in failures { print("FAILED: \(failure)") }
            if !failures.isEmpty { throw ExitCode(1) }
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private func check(_ probe: ScanProbe) async throws -> [String] {
        var failures: [String] = []
        print("| | n | P50 | P95 | P99 |\n|---|--:|--:|--:|--:|")
        // The first few open the connection.
        _ = try await latencies(probe, 20)
        let alone = try await latencies(probe, texts)
        print(alone.row("text, alone"))
        guard let calm = alone.percentile(99) else { return ["no text was answered"] }
        for attack in Attack.all {
            let (loaded, long) = try await beside(attack, probe)
            print(loaded.row("text, beside \(attack.name)"))
            print(long.row("… which take"))
            guard let p99 = loaded.percentile(99), p99 <= factor * calm else {
                failures.append(
                    "beside \(attack.name), the P99 is \((loaded.percentile(99) ?? 0) / calm) times the one alone"
                )
                continue
            }
        }
        return failures
    }

    /// Short texts of one device, one after the other.
    private func latencies(_ probe: ScanProbe, _ count: Int) async throws -> Latencies {
        let lines = [
            "FRANK HERBERT\nDUNE", "The Heart Is a Lonely Hunter\nCARSON MCCULLERS", "Émile Zola\nTHÉRÈSE RAQUIN",
        ]
        let device = UUID()
        var seconds: [Double] = []
        for index in 0..<count { seconds.append(try await probe.enrich(lines[index % lines.count], device: device)) }
        return Latencies(seconds: seconds)
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
        let short = try await latencies(probe, texts)
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

    /// As long as a body may be.
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
