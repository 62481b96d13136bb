import ArgumentParser
import BookCatalogue
import Foundation
import ScanningPipeline
import ScanningPolicies
import Synchronization
import Talaria

struct PortalCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "portal",
        abstract:
            "Put captive portals and proxies between a client and its server, and check every spine.",
        discussion: """
            Every variant scans through each of them, drains through it, and then reaches the server. The exit code is 1 when a scan \
            is failed, lost or duplicated, or when a false answer is not reported.
            """
    )

    /// Answers of strangers.
    private static let strangers: [(name: String, scheme: String, bytes: [UInt8])] = {
        let page = "<!DOCTYPE html><title>Please log in</title>"
        func answer(_ head: String, type: String = "text/html", _ body: String) -> [UInt8] {
            Array("HTTP/1.1 \(head)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
        }
        return [
            ("200, a page", "http", answer("200 OK", page)),
            ("200, a page labelled as JSON", "http", answer("200 OK", type: "application/json", page)),
            ("200, nothing", "http", answer("200 OK", "")), ("204", "http", answer("204 No Content", "")),
            ("200, other JSON", "http", answer("200 OK", type: "application/json", #"{"status":"ok"}"#)),
            ("200, a list", "http", answer("200 OK", type: "application/json", "[]")),
            ("302", "http", answer("302 Found\r\nLocation: http://login.example/", page)),
            ("307", "http", answer("307 Temporary Redirect\r\nLocation: https://login.example/", "")),
            ("403", "http", answer("403 Forbidden", page)), ("404", "http", answer("404 Not Found", page)),
            ("404, other JSON", "http", answer("404 Not Found", type: "application/json", #"{"message":"no"}"#)),
            ("407", "http", answer("407 Proxy Authentication Required", page)),
            ("413 of a proxy", "http", answer("413 Too Large", page)), ("511", "http", answer("511 Log in", page)),
            ("a truncated head", "http", Array("HTTP/1.1 202 Acc".utf8)),
            ("a truncated body", "http", Array(answer("202 Accepted", #"{"jobId":"x"}"#).dropLast(6))),
            ("no HTTP", "http", Array("SSH-2.0-portal\r\n".utf8)),
            ("a page instead of TLS", "https", answer("200", page)),
            // The head of a ServerHello of 122 bytes, of which four come (RFC 8446, section 5.1).
            ("truncated TLS", "https", [0x16, 0x03, 0x03, 0x00, 0x7a, 0x02, 0x00, 0x00, 0x76]),
            ("refused TLS", "https", [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]),
        ]
    }()

    func run() async throws { try await withTemporaryFolder("portal", check) }

    private func check(in folder: URL) async throws {
        let transport = try AsyncHTTPTransport()
        let found = try await closing(transport.shutdown) {
            try await FaultServer.run(in: folder) { server in
                var failures: [String] = []
                for (index, stranger) in Self.strangers.enumerated() {
                    for variant in [ScanStrategy.hybrid, .talariaOnly, .visionFallback] {
                        let library = folder.appending(path: "\(index)-\(variant.rawValue).sqlite").path
                        // Unique numbers: the server counts its readings of each.
                        let first = (index * 3 + (variant == .hybrid ? 0 : variant == .talariaOnly ? 1 : 2)) * 3
                        do {
                            let words = try await Self.play(stranger, variant, first, library, transport, server)
                            if variant == .hybrid { print("\(stranger.name): \(words)") }
                        } catch {
                            failures.append("\(stranger.name), \(variant.rawValue): \(error)")
                        }
                    }
                }
                return failures
            }
        }
        let tried = Self.strangers.count * 3
        print(
            "\(Self.strangers.count) portals and proxies, \(tried * 3) scans: \(found.count) of \(tried) sequences lost something."
        )
        try end(found)
    }

    /// Scans three spines against a stranger, and then brings them to the server.
    private static func play(
        _ stranger: (name: String, scheme: String, bytes: [UInt8]),
        _ variant: ScanStrategy,
        _ first: Int,
        _ library: String,
        _ transport: AsyncHTTPTransport,
        _ server: FaultServer
    ) async throws -> String {
        let portal = try Portal(bytes: stranger.bytes, scheme: stranger.scheme)
        defer { portal.stop() }
        guard let address = URL(string: portal.address) else { throw CheckFailure("no address") }
        let store = try LibraryStore(path: library)
        let device = UUID()
        func session(_ url: URL, hours: Double) throws -> ScanSession {
            try ScanSession.ofCheck(
                strategy: variant,
                client: ClientConfiguration(baseURL: url, deviceID: device, retry: .never),
                transport: transport,
                store: store,
                hours: hours
            )
        }
        for book in 0..<3 {
            let picture = try SpineCode(number: first + book, kind: .book, book: book).picture()
            let scan = try await session(address, hours: 0).scan(photo: picture, name: "spine")
            guard scan.status == .queued, scan.problem?.contains(" ") == true else {
                throw CheckFailure("a scan is \(scan.status) after it: \(scan.problem ?? "no problem")")
            }
        }
        let words = try store.waitingScans().last?.lastError ?? ""
        let report = try await session(address, hours: 24).drain()
        guard report.done == 0, report.failed == 0, report.left == 3, try store.failedScans().isEmpty else {
            throw CheckFailure("a drain through it gave \(report)")
        }
        let end = try await session(server.url, hours: 48).drain()
        let titles = try store.books().map(\.title).sorted()
        guard end.done == 3, titles == FaultCatalogue.books.prefix(3).map(\.title).sorted(),
            try store.drafts().isEmpty, try store.waitingScans().isEmpty
        else { throw CheckFailure("at the end, the library has \(titles), and \(end)") }
        return words
    }
}

/// Server that answers every connection in the same way, as a captive portal does, for any request.
final class Portal: Sendable {
    /// Address of the listener.
    let address: String
    private let socket: Int32
    private let count = Mutex(0)

    /// Connections that were answered.
    var answered: Int { count.withLock { $0 } }

    /// - Parameters:
    ///   - answer: the whole response, head and body; the connection is closed after it.
    ///   - scheme: of its address; a response to `https` is not a handshake unless `answer` is one.
    /// - Throws: when there is no port.
    convenience init(answering answer: String, scheme: String = "http") throws {
        try self.init(bytes: Array(answer.utf8), scheme: scheme)
    }

    init(bytes answer: [UInt8], scheme: String) throws {
        #if canImport(Glibc) || canImport(Musl)
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(socket, name, length) == 0 && listen(socket, 16) == 0 && getsockname(socket, name, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        self.socket = socket
        address = "\(scheme)://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
        Thread { [self] in serve(answer) }.start()
    }

    private func serve(_ answer: [UInt8]) {
        while true {
            let client = accept(socket, nil, nil)
            guard client >= 0 else { return }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            _ = read(client, &buffer, buffer.count)
            count.withLock { $0 += 1 }
            _ = answer.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            shutdown(client, Int32(SHUT_WR))
            // Pending bytes are read, so that the answer is not lost to a reset.
            while read(client, &buffer, buffer.count) > 0 {}
            close(client)
        }
    }

    /// Listens no longer.
    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }
}
