import Foundation
import Talaria
import TestSupport
import Testing

@testable import CaptureReading
@testable import Captures

/// Permitted and refused fetches of untrusted addresses.
@Suite(.inTurns, .endsWhatHangs) struct FetchTests {
    typealias Answer = RecordedServer.Answer

    /// Fetches a path of a server of recorded answers, or another address, in which "PORT" is the server's.
    private func get(
        _ path: String = "",
        _ answers: [String: Answer] = [:],
        allowsPrivate: Bool = true,
        bytes: Int = 1 << 20,
        headers: [(name: String, value: String)] = []
    ) async throws -> (answer: SafeFetch.Answer?, error: EnrichmentError?, server: RecordedServer) {
        let ((answer, error), server) = try await asking(answers, allowsPrivate: allowsPrivate) { fetch, base in
            var fetch = fetch
            fetch.bytes = bytes
            let text = path.contains(":") ? path.replacing("PORT", with: "\(base.port ?? 0)") : "\(base)\(path)"
            let url = try #require(URL(string: text))
            do { return (try await fetch.get(url, headers: headers) as SafeFetch.Answer?, EnrichmentError?.none) } catch
            {
                return (nil, try #require(error as? EnrichmentError))
            }
        }
        return (answer, error, server)
    }

    @Test func aPageComesAndIsNoted() async throws {
        let (answer, _, server) = try await get(
            "page",
            ["/page": .page("<title>Emma</title>")],
            headers: [("Authorization", "secret")]
        )
        #expect(answer?.body == Array("<title>Emma</title>".utf8) && answer?.status == 200 && answer?.isCut == false)
        #expect(answer?.contentType == "text/html; charset=utf-8" && server.requests.map(\.authorization) == ["secret"])
        let noted = try #require(server.transfers.first)
        #expect(server.transfers.count == 1 && noted.host == "127.0.0.1" && noted.endpoint == .link)
        #expect(noted.contentClass == .text && noted.status == 200 && noted.bytesUp > 40 && noted.bytesDown >= 19)
    }

    @Test(arguments: ["127.0.0.1", "localhost", "2130706433", "[::1]", "[::ffff:127.0.0.1]"])
    func whatIsPrivateIsNotAsked(host: String) async throws {
        let (_, error, server) = try await get("http://\(host):PORT/", ["/": .page("secret")], allowsPrivate: false)
        #expect(error != nil && server.requests.isEmpty && server.transfers.isEmpty)
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://example.org/", "javascript:alert(1)", "http://user:word@127.0.0.1/", "http:///a",
        "data:text/html,a",
    ])
    func onlyAddressesOfTheWeb(text: String) async throws {
        let (_, error, server) = try await get(text)
        #expect(error != nil && server.transfers.isEmpty)
    }

    @Test func aKeyGoesToNobodyElse() async throws {
        var answers = ["/here": Answer.moved("/there"), "/there": .moved("OTHER/end"), "/end": .page("end")]
        answers["/there"]?.status = 301
        let (answer, _, server) = try await get("here", answers, headers: [("Authorization", "secret")])
        #expect(answer?.url.path() == "/end" && answer?.url.host() == "localhost")
        #expect(server.paths == ["/here", "/there", "/end"] && server.transfers.count == 3)
        #expect(server.requests.map(\.authorization) == ["secret", "secret", nil])
    }

    @Test func twentyRedirectionsAreFollowed() async throws {
        var answers = ["/20": Answer.page("end")]
        for number in 0..<20 { answers["/\(number)"] = .moved("\(number + 1)") }
        let (answer, _, server) = try await get("0", answers)
        #expect(answer?.body == Array("end".utf8) && server.requests.count == 21)
        let (_, error, circle) = try await get("", ["/": .moved("/")])
        #expect(error == .refused("127.0.0.1: more than 20 redirections") && circle.requests.count == 21)
    }

    /// A private service may lead to another one, and not to the address where a cloud's machine has its keys.
    @Test(arguments: [
        "file:///etc/passwd", "gopher://127.0.0.1/", "http://", "http://169.254.169.254/latest", "http://2852039166/",
        "http://[fe80::1]/", "http://[::ffff:169.254.169.254]/",
    ])
    func aRedirectionToElsewhereIsRefused(location: String) async throws {
        let (_, error, server) = try await get("", ["/": .moved(location)])
        let isPrivate = error?.description.contains("is on a private network") == true
        #expect(error != nil && isPrivate == (location.count > 7 && location.hasPrefix("http")))
        #expect(server.requests.count == 1 && server.transfers.count == 1)
    }

    @Test func aLongBodyIsCut() async throws {
        let long = Answer(body: String(repeating: "a", count: 300_000))
        let (answer, _, _) = try await get("", ["/": long], bytes: 1_000)
        #expect(answer?.body.count == 1_000 && answer?.isCut == true)
    }

    /// Port 1 of this machine has no listener.
    @Test func aServerThatIsNotThereMayBeThereLater() async throws {
        let (_, error, _) = try await get("http://127.0.0.1:1/")
        if case .busy(let text, _)? = error {
            #expect(text.hasPrefix("127.0.0.1: "))
        } else {
            #expect(error == .busy(""))
        }
    }

    // MARK: - Pages that lead elsewhere

    private func page(_ answers: [String: Answer]) async throws -> (SourceAnswer, RecordedServer) {
        try await asking(answers) { fetch, base in
            let query = EnrichmentQuery(kind: .web, url: base.appending(path: "here"))
            return try #require(try await Enricher([LinkProvider(fetch: fetch)]).enrich(query).first)
        }
    }

    private func forwarding(_ content: String) -> Answer {
        .page("<title>Redirecting…</title><meta http-equiv=\"refresh\" content=\"\(content)\">")
    }

    private let there = Answer.page("<title>The silver lantern</title>")

    @Test func aPageThatLeadsElsewhereIsFollowed() async throws {
        let (page, server) = try await page([
            "/here": forwarding("0; url=/two"), "/two": .moved("/three"),
            "/three": .page("<title>Wait</title>", ["Refresh": "1; url=there"]), "/there": there,
        ])
        #expect(page.facts.title == "The silver lantern" && page.facts.webContext?.url?.hasSuffix("/there") == true)
        #expect(server.paths == ["/here", "/two", "/three", "/there"])
        #expect(server.transfers.map(\.endpoint) == [.link, .link, .link, .link])
    }

    /// A page of an error, a file, an answer to another question and a page that leads to itself lead nowhere.
    @Test func whatIsNoPageLeadsNowhere() async throws {
        let here = forwarding("0; url=/there")
        var gone = here
        gone.status = 404
        #expect(try await page(["/here": gone, "/there": there]).0.failure?.reason == "127.0.0.1 answered 404")
        let (file, server) = try await page(["/here": Answer(headers: ["Refresh": "0; url=/there"]), "/there": there])
        #expect(file.facts.documentContext?.fileType == "application/json" && server.requests.count == 1)
        #expect(try await get("here", ["/here": here, "/there": there]).server.requests.count == 1)
        #expect(try await page(["/here": forwarding("0; url=/here")]).0.facts.title == "Redirecting…")
        let (circle, asked) = try await page(["/here": forwarding("0; url=/b"), "/b": forwarding("0; url=/here")])
        #expect(circle.failure?.reason == "127.0.0.1: more than 20 redirections" && asked.requests.count == 21)
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
        let (_, error, server) = try await get(next.absoluteString, allowsPrivate: false)
        #expect(error != nil && server.transfers.isEmpty)
    }

    @Test(
        arguments: [
            (
                "\u{B}\u{2}\u{0}junk", ["Content-Encoding": "br"],
                "the page is compressed with br, which was not asked for"
            ),
            ("%PDF-1.4", [:], "the content is a PDF file, and its headers do not say so"),
            (
                "\u{1}\u{2}\u{3}\u{4}", ["Content-Type": "text/plain"],
                "the content is not text, and its headers say that it is"
            ),
        ] as [(String, [String: String], String)]
    )
    func contentThatIsNoTextIsSaidToBe(body: String, headers: [String: String], reason: String) async throws {
        let (answer, _) = try await page(["/here": .page(body, headers)])
        #expect(answer.failure == SourceProblem(source: .link, reason: "127.0.0.1: \(reason)", isPassing: false))
    }

    // MARK: - Servers that fail

    private static func nine(_ address: String) -> [String] { Array(repeating: address, count: 9) }

    private static func busy(_ status: Int, _ wait: String? = nil) -> Answer {
        Answer(status: status, headers: wait.map { ["Retry-After": $0] } ?? [:])
    }

    /// The answer of "/x", the addresses that are asked for, and whether the server is left alone afterwards.
    static let servers: [(Answer, [String], Bool)] =
        // RFC 9110, 15.5: an answer of 4xx is about the request; a redirection is an answer of its own server.
        [400, 401, 403, 404, 410, 418, 429, 451].map { (busy($0), nine("x"), false) }
        + [(.moved("http://127.0.0.1:9/"), nine("x"), false)]
        // Other servers: ports 1 to 9 have no listener, and a name has 63 letters at most (RFC 1035). Refused by rule.
        + [
            (1...9).map { "http://127.0.0.1:\($0)/" },
            (1...9).map { "http://\($0)\(String(repeating: "a", count: 64))/" }, nine("http://127.0.0.1:9/a"),
            nine("http://user:word@127.0.0.1/"), nine("ftp://127.0.0.1/"),
        ].map { (Answer(), $0, false) }
        // Eight failures in a row switch a server off; seven do not, nor more with an answer in between.
        + [
            (busy(500), Array(nine("x").dropLast()), true), (busy(500), Array(nine("x").dropLast(2)), false),
            (busy(500), Array(repeating: ["x", "x", "alive"], count: 5).flatMap(\.self), false),
        ]
        // RFC 9110, 10.2.3: a server that names a wait is not asked before that, for any page.
        + [
            (429, "120", true), (503, "120", true), (500, "120", true), (404, "120", false), (429, nil, false),
            (503, nil, false),
        ].map { (busy($0, $1), ["x"], $2) }

    /// Failures have an effect on their server alone, by its scheme, host and port.
    @Test(arguments: servers)
    func aServerThatFailsAgainAndAgainIsLeftAlone(answer: Answer, addresses: [String], isLeftAlone: Bool) async throws {
        let answers = try await link(["/x": answer, "/alive": .page("<title>Alive</title>")], addresses + ["alive"])
        #expect(answers.dropLast().map { $0.failure == nil } == addresses.map { $0 == "alive" })
        #expect(answers.last?.facts.title == (isLeftAlone ? nil : "Alive"))
        #expect(answers.last?.failure?.reason.hasPrefix("not asked: 127.0.0.1 ") == (isLeftAlone ? true : nil))
    }

    @Test func whatIsRefusedByRuleSaysNothing() async throws {
        let answers = try await link([:], Self.nine("alive"), allowsPrivate: false)
        #expect(answers.allSatisfy { $0.failure != nil && $0.isAsked })
    }

    /// Asks for addresses and for paths of a server, one after the other.
    private func link(
        _ answers: [String: Answer],
        _ addresses: [String],
        allowsPrivate: Bool = true
    ) async throws -> [SourceAnswer] {
        try await asking(answers, allowsPrivate: allowsPrivate) { fetch, base in
            let enricher = Enricher([LinkProvider(fetch: fetch)])
            var answers: [SourceAnswer] = []
            for address in addresses {
                let url = URL(string: address.contains(":") ? address : "\(base)\(address)")
                answers += try await enricher.enrich(EnrichmentQuery(kind: .web, url: url))
            }
            return answers
        }.0
    }

    // MARK: - Addresses

    /// Source: RFC 6890 and the registries of special-purpose addresses of IANA.
    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.8.8.8", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1",
        "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1",
        "::ffff:127.0.0.1", "::ffff:192.168.1.1", "::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1",
        "2001::1", "2001:2::1", "2001:10::1", "2001:db8::1", "2002:a00:1::", "2002:7f00:1::", "3fff::1", "5f00::1",
        "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%lo", "ff02::1", "", "example.org", "1.2.3", "0x7f.1",
    ])
    func noPrivateOne(address: String) { #expect(!NetworkAddress.isPublic(address)) }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
        "192.0.1.1", "192.169.0.1", "198.17.255.255", "198.20.0.0", "223.255.255.255", "::ffff:8.8.8.8",
        "64:ff9b::808:808", "2002:808:808::", "2001:4860:4860::8888", "2606:4700::1111", "2a00:1450::1",
    ])
    func publicOnes(address: String) { #expect(NetworkAddress.isPublic(address)) }

    @Test func anAddressIsItsOwnName() {
        #expect(NetworkAddress.lookUp("127.0.0.1") == ["127.0.0.1"] && NetworkAddress.lookUp("::1") == ["::1"])
        // Other ways to write it, which a check of text alone would let pass.
        for other in ["0x7f000001", "2130706433"] {
            #expect(NetworkAddress.lookUp(other).allSatisfy { !NetworkAddress.isPublic($0) })
        }
    }
}
