import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Talaria

struct KillCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill",
        abstract: "Kills a server (signal 9) that has accepted scans, starts it again, and looks for them.",
        discussion: "Ends with 1 when a scan that was accepted does not end in a result, or when a picture is left."
    )

    @Option(help: "The program.")
    var talaria = ".build/release/talaria"

    @Option(help: "A folder of photos.")
    var photos = "Datasets/spines-1/images"

    @Option(help: "Scans that are accepted before the server is killed.")
    var scans = 10

    func run() async throws { try await withTemporaryFolder("kill", check) }

    private func check(in folder: URL) async throws {
        let photos = try PhotoFolder(path: photos)
        let client = HTTPClient()
        do {
            let first = try await start(in: folder)
            var jobs: [(job: ScanAccepted, device: String)] = []
            let probe = ScanProbe(client: client, url: first.url)
            for index in 0..<scans {
                let device = UUID().uuidString
                let response = try await probe.upload(photos[index], device: device)
                guard response.status == .accepted else { throw CheckFailure("status \(response.status.code)") }
                let body = Data(try await response.body.collect(upTo: 1 << 20).readableBytesView)
                jobs.append((try WireJSON.decode(ScanAccepted.self, from: body), device))
            }
            kill(first.process.processIdentifier, SIGKILL)
            first.process.waitUntilExit()
            let left = pictures(in: folder)

            let second = try await start(in: folder)
            var tally = ScanTally()
            for (job, device) in jobs {
                let probe = ScanProbe(client: client, url: second.url)
                tally.add(try await probe.follow(job, device: device, since: .now))
            }
            second.process.terminate()
            second.process.waitUntilExit()
            try await client.shutdown()
            let after = pictures(in: folder)
            print(
                "\(scans) accepted, killed with \(left) pictures; then \(tally.latencies.count) done, \(after) pictures."
            )
            for loss in tally.losses { print("FAILED: \(loss)") }
            if !tally.losses.isEmpty || after > 0 { throw ExitCode(1) }
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private func start(in folder: URL) async throws -> (process: Process, url: String) {
        let portFile = folder.appendingPathComponent("port-\(UUID().uuidString)")
        let process = try Process.start(
            talaria,
            [
                "serve", "--port", "0", "--port-file", portFile.path, "--data",
                folder.appendingPathComponent("data").path, "--images", folder.appendingPathComponent("images").path,
                "--queue", "\(scans)", "--rate-limit", "off", "--log-level", "error",
            ]
        )
        return (process, try await process.address(in: portFile.path))
    }

    private func pictures(in folder: URL) -> Int {
        let files = FileManager.default.subpaths(atPath: folder.appendingPathComponent("images").path) ?? []
        return files.count { Int($0.split(separator: "/").last ?? "") != nil }
    }
}
