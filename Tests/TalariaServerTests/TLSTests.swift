import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns, .endsWhatHangs, .enabled(if: OpenSSL.isThere, "the program openssl is not installed"))
struct TLSTests {
    /// Runs a server with a separate certificate while `test` uses its port.
    private func run(_ test: @escaping @Sendable (_ port: Int) async throws -> Void) async throws {
        var server = try TestServer()
        defer { server.remove() }
        let files = TLSFiles(
            certificate: server.folder.appending(path: "cert.pem").path,
            key: server.folder.appending(path: "key.pem").path
        )
        // An RSA key, which static RSA needs.
        let made = await OpenSSL.run(
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
                + ["-keyout", files.key, "-out", files.certificate]
        )
        try #require(made.status == 0)
        server.configuration.tls = files
        let running = try server.make()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { port.finish() }
                try await running.run { port.yield($0) }
            }
            let number = try #require(await ports.first { _ in true })
            try await test(number)
            group.cancelAll()
            // A cancelled server reports it.
            _ = await group.nextResult()
        }
    }

    private func connect(_ port: Int, _ options: [String]) async -> (status: CInt, text: String) {
        await OpenSSL.run(["s_client", "-connect", "127.0.0.1:\(port)"] + options)
    }

    @Test func onlyCurrentVersionsAndSuitesAreSpoken() async throws {
        try await run { port in
            // Level 0: the client itself would offer all of these.
            for old in [
                ["-tls1"], ["-tls1_1"], ["-tls1_2", "-cipher", "AES128-SHA:@SECLEVEL=0"],
                ["-tls1_2", "-cipher", "AES256-GCM-SHA384:@SECLEVEL=0"],
                ["-tls1_2", "-cipher", "ECDHE-RSA-AES128-SHA:@SECLEVEL=0"],
            ] {
                let level = old.contains("-cipher") ? [] : ["-cipher", "DEFAULT:@SECLEVEL=0"]
                let outcome = await connect(port, old + level)
                #expect(outcome.status != 0, "\(old)")
                #expect(outcome.text.contains("Cipher is (NONE)"), "\(old)")
            }
            for current in [["-tls1_2"], ["-tls1_3"], ["-tls1_2", "-cipher", "ECDHE-RSA-CHACHA20-POLY1305"]] {
                let outcome = await connect(port, current)
                #expect(outcome.status == 0, "\(current)")
                #expect(!outcome.text.contains("Cipher is (NONE)"), "\(current)")
            }
            #expect(await connect(port, ["-alpn", "h2,http/1.1"]).text.contains("ALPN protocol: http/1.1"))
        }
    }

    @Test func aKeyThatIsNoneIsSaidToBe() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.tls = TLSFiles(certificate: "/nowhere/cert.pem", key: "/nowhere/key.pem")
        let made = try server.make()
        await #expect(throws: TalariaServerError.self) { try await made.run { _ in } }
    }
}

/// The program of that name.
enum OpenSSL {
    private static let path = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    static var isThere: Bool { path != nil }

    static func run(_ arguments: [String]) async -> (status: CInt, text: String) {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let process = Process()
                let output = Pipe()
                process.executableURL = path.map { URL(filePath: $0) }
                process.arguments = arguments
                process.standardInput = FileHandle.nullDevice
                process.standardOutput = output
                process.standardError = output
                guard (try? process.run()) != nil else { return continuation.resume(returning: (-1, "")) }
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                continuation.resume(returning: (process.terminationStatus, text))
            }
        }
    }
}
