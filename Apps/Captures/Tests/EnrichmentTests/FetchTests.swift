import Foundation
import ServerSupport
import Synchronization
import Talaria
import TestSupport
import Testing

@testable import CaptureReading
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
            await #expect(throws: EnrichmentError.refused("127.0.0.1: more than 20 redirections")) {
                try await fetch.get(base, endpoint: .link, contentClass: .text)
            }
        }
        #expect(server.requests.count == 21)
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

    /// A private service may lead to another one, and not to the address where a cloud's machine has its keys.
    @Test(arguments: ["169.254.169.254", "2852039166", "[fe80::1]", "[::ffff:169.254.169.254]"])
    func aPrivateServerLeadsToNoLinkLocalAddress(host: String) async throws {
        let server = RecordedServer(["/": .init(status: 302, location: "http://\(host)/latest")])
        try await fetch(of: server) { fetch, base in
            let error = await #expect(throws: EnrichmentError.self) {
                try await fetch.get(base, endpoint: .link, contentClass: .text)
            }
            #expect(error?.description.contains("is on a private network") == true)
        }
        #expect(server.requests.count == 1 && server.transfers.count == 1)
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
        } catch EnrichmentError.busy(let text, _) {
            #expect(text.hasPrefix("127.0.0.1: "))
        }
    }

    @Test func twentyRedirectionsAreFollowed() async throws {
        var answers = ["/20": RecordedServer.Answer(body: "end")]
        for number in 0..<20 { answers["/\(number)"] = .init(status: 302, location: "\(number + 1)") }
        let server = RecordedServer(answers)
        try await fetch(of: server) { fetch, base in
            let answer = try await fetch.get(base.appending(path: "0"), endpoint: .link, contentClass: .text)
            #expect(String(decoding: answer.body, as: UTF8.self) == "end")
        }
        #expect(server.requests.count == 21)
    }

    // MARK: - Pages that lead elsewhere

    private func page(
        _ answers: [String: RecordedServer.Answer],
        allowsPrivate: Bool = true,
        at path: String = "here"
    ) async throws -> (page: Facts?, error: EnrichmentError?, server: RecordedServer) {
        let server = RecordedServer(answers)
        let outcome = Mutex<(Facts?, EnrichmentError?)>((nil, nil))
        try await fetch(of: server, allowsPrivate: allowsPrivate) { fetch, base in
            var query = EnrichmentQuery(kind: .web, time: Date(timeIntervalSince1970: 0))
            query.url = base.appending(path: path)
            do {
                let data = try await LinkProvider(fetch: fetch).enrich(query)
                outcome.withLock { $0.0 = data }
            } catch let error as EnrichmentError { outcome.withLock { $0.1 = error } }
        }
        let (data, error) = outcome.withLock { $0 }
        return (data, error, server)
    }

    private func forwarding(_ content: String) -> RecordedServer.Answer {
        .init(
            body: "<title>Redirecting…</title><meta http-equiv=\"refresh\" content=\"\(content)\">",
            type: "text/html"
        )
    }

    private let there = RecordedServer.Answer(
        body: "<title>The silver lantern</title>",
        type: "text/html; charset=utf-8"
    )

    @Test func aPageThatLeadsElsewhereIsFollowed() async throws {
        let answers = [
            "/here": forwarding("0; url=/two"), "/two": .init(status: 302, location: "/three"),
            "/three": .init(body: "<title>Wait</title>", type: "text/html", refresh: "1; url=there"), "/there": there,
        ]
        let (page, _, server) = try await page(answers)
        #expect(page?.title == "The silver lantern" && page?.webContext?.url?.hasSuffix("/there") == true)
        #expect(server.requests.map(\.path) == ["/here", "/two", "/three", "/there"])
        #expect(server.transfers.map(\.endpoint) == [.link, .link, .link, .link])
    }

    /// A page of an error, a file and an answer to another question lead nowhere.
    @Test func whatIsNoPageLeadsNowhere() async throws {
        var gone = forwarding("0; url=/there")
        gone.status = 404
        #expect(try await page(["/here": gone, "/there": there]).error == .refused("127.0.0.1 answered 404"))
        let file = RecordedServer.Answer(body: "{}", type: "application/json", refresh: "0; url=/there")
        let (data, _, server) = try await page(["/here": file, "/there": there])
        #expect(data?.documentContext?.fileType == "application/json" && server.requests.count == 1)
        let other = RecordedServer(["/here": forwarding("0; url=/there"), "/there": there])
        try await fetch(of: other) { fetch, base in
            _ = try await fetch.get(base.appending(path: "here"), endpoint: .link, contentClass: .text)
        }
        #expect(other.requests.count == 1)
    }

    @Test func pagesThatLeadInACircleAreRefused() async throws {
        let (_, error, server) = try await page(["/here": forwarding("0; url=/b"), "/b": forwarding("0; url=/here")])
        #expect(error == .refused("127.0.0.1: more than 20 redirections") && server.requests.count == 21)
        #expect(try await page(["/here": forwarding("0; url=/here")]).page?.title == "Redirecting…")
    }

    /// The rules of redirections hold for pages: a public one must not lead into a private network.
    @Test(arguments: [
        "http://127.0.0.1:9/", "//localhost/", "http://[::1]/x", "http://169.254.169.254/latest",
        "http://user:word@example.org/",
    ])
    func aPageLeadsIntoNoPrivateNetwork(target: String) async throws {
        let url = try #require(URL(string: "https://example.org/"))
        let html = Array("<meta http-equiv='refresh' content='0;url=\(target)'>".utf8)
        let next = try #require(WebPage.forward(html: html, contentType: "text/html", refresh: nil, url: url))
        let fetch = SafeFetch { _ in Issue.record("it was asked") }
        await #expect(throws: EnrichmentError.self) { try await fetch.get(next, endpoint: .link, contentClass: .text) }
    }

    @Test(
        arguments: [
            ("\u{B}\u{2}\u{0}junk", "br", "text/html", "the page is compressed with br, which was not asked for"),
            ("%PDF-1.4", nil, "text/html", "the content is a PDF file, and its headers do not say so"),
            ("\u{1}\u{2}\u{3}\u{4}", nil, "text/plain", "the content is not text, and its headers say that it is"),
        ] as [(String, String?, String, String)]
    )
    func contentThatIsNoTextIsSaidToBe(body: String, coding: String?, type: String, reason: String) async throws {
        let (page, error, _) = try await page(["/here": .init(body: body, type: type, coding: coding)])
        #expect(page == nil && error == .refused("127.0.0.1: \(reason)"))
    }
}
