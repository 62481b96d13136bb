import BookCatalogue
import Foundation
import ScanningPipeline
import ScanningPolicies
import Talaria
import TestSupport
import Testing

/// Captive portals and proxies between a client and its server: every variant scans through each of them, drains
/// through it, and then reaches the server.
@Suite(.inTurns) struct PortalTests {
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

    @Test func noneCostsAScan() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let transport = try NetworkTransport()
        try await FaultServer.run { server in
            // Unique numbers: the server counts its readings of each.
            var first = 0
            for stranger in Self.strangers {
                for variant in [ScanStrategy.hybrid, .talariaOnly, .visionFallback] {
                    let library = "\(path)/\(first).sqlite"
                    await #expect(throws: Never.self, "\(stranger.name), \(variant.rawValue)") {
                        try await Self.play(stranger, variant, first, library, transport, server)
                    }
                    first += 3
                }
            }
        }
        withExtendedLifetime(folder) {}
    }

    /// Scans three spines against a stranger, and then brings them to the server.
    private static func play(
        _ stranger: (name: String, scheme: String, bytes: [UInt8]),
        _ variant: ScanStrategy,
        _ first: Int,
        _ library: String,
        _ transport: NetworkTransport,
        _ server: FaultServer
    ) async throws {
        let portal = try Portal(bytes: stranger.bytes, scheme: stranger.scheme)
        defer { portal.stop() }
        guard let address = URL(string: portal.address) else { throw FaultFinding("no address") }
        let store = try LibraryStore(path: library)
        let device = UUID()
        func session(_ url: URL, hours: Double) throws -> ScanSession {
            try ScanSession.ofFaultCodes(
                strategy: variant,
                client: ClientConfiguration(baseURL: url, deviceID: device, retry: .never),
                transport: transport,
                store: store,
                hours: hours
            )
        }
        for book in 0..<3 {
            let picture = try FaultCode(number: first + book, kind: .book, book: book).picture()
            let scan = try await session(address, hours: 0).scan(photo: picture, name: "spine")
            guard scan.status == .queued, scan.problem?.contains(" ") == true else {
                throw FaultFinding("a scan is \(scan.status) after it: \(scan.problem ?? "no problem")")
            }
        }
        let report = try await session(address, hours: 24).drain()
        guard report.done == 0, report.failed == 0, report.left == 3, try store.failedScans().isEmpty else {
            throw FaultFinding("a drain through it gave \(report)")
        }
        let end = try await session(server.url, hours: 48).drain()
        let titles = try store.books().map(\.title).sorted()
        guard end.done == 3, titles == FaultCatalogue.books.prefix(3).map(\.title).sorted(),
            try store.drafts().isEmpty, try store.waitingScans().isEmpty
        else { throw FaultFinding("at the end, the library has \(titles), and \(end)") }
    }
}
