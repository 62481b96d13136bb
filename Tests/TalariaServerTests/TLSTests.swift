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

    // MARK: - Files that do not fit

    /// A folder with a root, a certificate that it signed, a key of each, an expired certificate, and other forms of them.
    private func made() async throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func path(_ name: String) -> String { folder.appending(path: name).path }
        func run(_ arguments: String) async throws {
            let words = arguments.split(separator: " ").map {
                $0.hasPrefix("@") ? path(String($0.dropFirst())) : String($0)
            }
            try #require(await OpenSSL.run(words).status == 0, "\(arguments)")
        }
        let new = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        try await run("\(new) -days 9 -subj /CN=Root -keyout @root.key -out @root.pem")
        try await run(
            "req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout @leaf.key -out @leaf.csr"
        )
        try await run("x509 -req -days 9 -in @leaf.csr -CA @root.pem -CAkey @root.key -CAcreateserial -out @leaf.pem")
        try await run("req -x509 -newkey rsa:2048 -nodes -days 9 -subj /CN=x -keyout @rsa.key -out @rsa.pem")
        try await run("x509 -in @leaf.pem -outform der -out @leaf.der")
        try await run("pkey -in @leaf.key -outform der -out @key.der")
        try await run("pkey -in @leaf.key -aes128 -passout pass:word -out @secret.key")
        func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
        let (leaf, root, key) = (try text("leaf.pem"), try text("root.pem"), try text("leaf.key"))
        for (name, text) in [
            ("chain.pem", leaf + root), ("reversed.pem", root + leaf), ("bom.pem", "\u{FEFF}" + leaf + root),
            ("bom.key", "\u{FEFF}" + key), ("empty", ""), ("note", "hello"), ("both.pem", key + leaf),
            ("cut.pem", String(leaf.prefix(200))), ("crlf.pem", "Bag\r\n" + leaf.replacing("\n", with: "\r\n")),
        ] { try text.write(toFile: path(name), atomically: true, encoding: .utf8) }
        return folder
    }

    /// Each sentence names the file that is wrong; none comes from a library.
    @Test func filesThatDoNotFitAreNamed() async throws {
        let folder = try await made()
        defer { try? FileManager.default.removeItem(at: folder) }
        func path(_ name: String) -> String { folder.appending(path: name).path }
        func reason(_ certificate: String, _ key: String) -> String? {
            do {
                _ = try TLSIdentity(TLSFiles(certificate: path(certificate), key: path(key)))
                return nil
            } catch {
                guard case .tls(let reason) = error, error.isOfInput else { return "\(error)" }
                return reason.replacing(folder.path + "/", with: "")
            }
        }
        for (certificate, key) in [
            ("leaf.pem", "leaf.key"), ("chain.pem", "leaf.key"), ("crlf.pem", "leaf.key"), ("both.pem", "both.pem"),
            ("rsa.pem", "rsa.key"),
        ] { #expect(reason(certificate, key) == nil, "\(certificate) \(key)") }
        for (certificate, key, expected) in [
            ("leaf.pem", "root.key", "the key root.key does not match the certificate leaf.pem"),
            ("rsa.pem", "leaf.key", "the key leaf.key does not match the certificate rsa.pem"),
            (
                "reversed.pem", "leaf.key",
                "the key leaf.key does not match the certificate reversed.pem, but number 2 in that file; put it before those that signed it"
            ),
            (
                "bom.pem", "leaf.key",
                "the key leaf.key does not match the certificate bom.pem, which begins with a byte order mark that hides its first certificate; save it without"
            ),
            ("leaf.pem", "bom.key", "bom.key begins with a byte order mark; save it as ASCII without"),
            (
                "leaf.der", "leaf.key",
                "leaf.der is in DER, not PEM; convert it: openssl x509 -inform der -in leaf.der -out NEW.pem"
            ),
            (
                "leaf.pem", "key.der",
                "key.der is in DER, not PEM; convert it: openssl pkey -inform der -in key.der -out NEW.pem"
            ),
            ("leaf.pem", "secret.key", "secret.key is encrypted; decrypt it: openssl pkey -in secret.key -out NEW.pem"),
            (
                "leaf.key", "leaf.pem",
                "leaf.key contains a private key instead of a PEM certificate; exchange --tls-certificate and --tls-key"
            ),
            (
                "leaf.pem", "rsa.pem",
                "rsa.pem contains a certificate instead of a PEM private key; exchange --tls-certificate and --tls-key"
            ),
            ("empty", "leaf.key", "empty is empty"), ("leaf.pem", "empty", "empty is empty"),
            ("none", "leaf.key", "none cannot be read"),
            ("cut.pem", "leaf.key", "cut.pem contains no valid PEM certificate"),
            ("note", "leaf.key", "note contains no valid PEM certificate"),
            ("leaf.csr", "leaf.key", "leaf.csr contains no valid PEM certificate"),
            ("leaf.pem", "note", "note contains no valid PEM private key"),
        ] { #expect(reason(certificate, key) == expected) }
    }

    /// The server itself says it, before it listens; a certificate whose time is over is served with a warning.
    @Test func aKeyOfAnotherCertificateIsRefusedByTheServer() async throws {
        let folder = try await made()
        defer { try? FileManager.default.removeItem(at: folder) }
        func path(_ name: String) -> String { folder.appending(path: name).path }
        var server = try TestServer()
        defer { server.remove() }
        let files = TLSFiles(certificate: path("leaf.pem"), key: path("rsa.key"))
        server.configuration.tls = files
        let made = try server.make()
        await #expect(
            throws: TalariaServerError.tls(
                reason: "the key \(files.key) does not match the certificate \(files.certificate)"
            )
        ) { try await made.run { _ in Issue.record("it listens") } }
        let good = TLSFiles(certificate: path("leaf.pem"), key: path("leaf.key"))
        #expect(try TLSIdentity(good).warning == nil)
        let day = 86_400.0
        #expect(try TLSIdentity(good, at: Date() + 30 * day).warning?.contains("leaf.pem has expired") == true)
        #expect(try TLSIdentity(good, at: Date() - 30 * day).warning?.contains("leaf.pem is not valid yet") == true)
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
