import Foundation
import Hummingbird
import ServerSupport
import Synchronization
import Talaria
import TestSupport
import Testing

@testable import Captures

/// Permitted and refused fetches of untrusted addresses.
@Suite(.inTurns) struct FetchTests {
    private func fetch(
        of recorded: RecordedServer,
        allowsPrivate: Bool = true,
        bytes: Int = 1 << 20,
        _ body: @escaping @Sendable (SafeFetch, URL) async throws -> Void
    ) async throws {
        var limits = SafeFetch.Limits()
        (limits.allowsPrivate, limits.bytes) = (allowsPrivate, bytes)
        let fetch = SafeFetch(limits: limits) { transfer in recorded.note(transfer) }
        try await recorded.run { base in try await body(fetch, base) }
    }

    @Test func aPageComesAndIsNoted() async throws {
        let server = RecordedServer(["/page": .init(body: "<title>Emma</title>", type: "text/html")])
        try await fetch(of: server) { fetch, base in
            let answer = try await fetch.get(
                base.appending(path: "page"),
                endpoint: .link,
                contentClass: .text,
                headers: [("X-Key", "secret")]
            )
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self) == "<title>Emma</title>")
            #expect(answer.contentType == "text/html")
            #expect(!answer.isCut)
        }
        #expect(server.requests.map(\.key) == ["secret"])
        let transfers = server.transfers
        #expect(transfers.map(\.host) == ["127.0.0.1"])
        #expect(transfers.map(\.endpoint) == [.link])
        #expect(transfers.map(\.contentClass) == [.text])
        #expect(transfers.map(\.status) == [200])
        #expect(transfers.allSatisfy { $0.bytesUp > 40 && $0.bytesDown >= 19 })
    }

    @Test func whatIsPrivateIsNotAsked() async throws {
        let server = RecordedServer(["/": .init(body: "secret")])
        try await fetch(of: server, allowsPrivate: false) { fetch, base in
            for address in ["127.0.0.1", "localhost", "2130706433", "[::1]", "[::ffff:127.0.0.1]"] {
                let url = try #require(URL(string: "http://\(address):\(base.port ?? 0)/"))
                await #expect(throws: EnrichmentError.self) {
                    try await fetch.get(url, endpoint: .link, contentClass: .text)
                }
            }
        }
        #expect(server.requests.isEmpty)
        #expect(server.transfers.isEmpty)
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://example.org/", "javascript:alert(1)", "http://user:word@127.0.0.1/", "http:///a",
        "data:text/html,a",
    ])
    func onlyAddressesOfTheWeb(text: String) async throws {
        let url = try #require(URL(string: text))
        var limits = SafeFetch.Limits()
        limits.allowsPrivate = true
        let fetch = SafeFetch(limits: limits) { _ in Issue.record("it was asked") }
        await #expect(throws: EnrichmentError.self) {
            try await fetch.get(url, endpoint: .link, contentClass: .text)
        }
    }

    @Test func aKeyGoesToNobodyElse() async throws {
        let server = RecordedServer([
            "/here": .init(status: 302, location: "/there"), "/there": .init(status: 301, location: "OTHER/end"),
            "/end": .init(body: "end"),
        ])
        try await fetch(of: server) { fetch, base in
            let url = base.appending(path: "here")
            let answer = try await fetch.get(
                url,
                endpoint: .link,
                contentClass: .text,
                headers: [("X-Key", "secret")]
            )
            #expect(answer.url.path() == "/end")
            #expect(answer.url.host() == "localhost")
        }
        #expect(server.requests.map(\.path) == ["/here", "/there", "/end"])
        #expect(server.requests.map(\.key) == ["secret", "secret", nil])
        #expect(server.transfers.count == 3)
    }

    @Test func redirectionsEnd() async throws {
        let server = RecordedServer(["/": .init(status: 302, location: "/")])
        try await fetch(of: server) { fetch, base in
            await #expect(throws: EnrichmentError.refused("127.0.0.1: more than 5 redirections")) {
                try await fetch.get(base, endpoint: .link, contentClass: .text)
            }
        }
        #expect(server.requests.count == 6)
    }

    @Test(arguments: ["file:///etc/passwd", "gopher://127.0.0.1/", "http://"])
    func aRedirectionToElsewhereIsRefused(location: String) async throws {
        let server = RecordedServer(["/": .init(status: 302, location: location)])
        try await fetch(of: server) { fetch, base in
            await #expect(throws: EnrichmentError.self) {
                try await fetch.get(base, endpoint: .link, contentClass: .text)
            }
        }
        #expect(server.requests.count == 1)
    }

    @Test func aLongBodyIsCut() async throws {
        let server = RecordedServer(["/": .init(body: String(repeating: "a", count: 300_000))])
        try await fetch(of: server, bytes: 1_000) { fetch, base in
            let answer = try await fetch.get(base, endpoint: .link, contentClass: .text)
            #expect(answer.body.count == 1_000)
            #expect(answer.isCut)
        }
    }

    @Test func aServerThatIsNotThereMayBeThereLater() async throws {
        // Port 1 of this machine has no listener.
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        var limits = SafeFetch.Limits()
        limits.allowsPrivate = true
        do {
            _ = try await SafeFetch(limits: limits, onTransfer: { _ in })
                .get(url, endpoint: .link, contentClass: .text)
            Issue.record("there was an answer")
        } catch EnrichmentError.transient(let text) {
            #expect(text.hasPrefix("127.0.0.1: "))
        }
    }
}
