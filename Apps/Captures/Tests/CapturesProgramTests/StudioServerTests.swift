import BookCatalogue
import Foundation
import HTTPTypes
import ServerSupport
import TestSupport
import Testing

@testable import Captures
@testable import ContextSpace
@testable import CapturesProgram

/// Studio's server: access rights, changes, and their results.
@Suite(.inTurns) struct StudioServerTests {
    private static let token = "abc123"

    private struct Browser: Sendable {
        var client: TestClient
        var store: ContextStore

        func send(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ body: String? = nil,
            type: String = "application/json",
            cookie: String? = StudioServerTests.token,
            isOwn: Bool = true
        ) async throws -> (status: Int, text: String, headers: HTTPFields) {
            var headers: HTTPFields = [.contentType: type]
            // The test's client names no port: that is 80.
            if let cookie {
                headers[.cookie] = cookie == StudioServerTests.token ? "spinebench-studio-80=\(cookie)" : cookie
            }
            if isOwn, let name = HTTPField.Name("x-spinebench") { headers[name] = "1" }
            let response = try await client.send(method, path, headers: headers, body: Array((body ?? "").utf8))
            return (response.status.code, response.text, response.headers)
        }

        func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(type, from: Data(text.utf8))
        }
    }

    private func withStudio(_ body: @escaping @Sendable (Browser) async throws -> Void) async throws {
        let store = try ContextStore.inMemory()
        let server = StudioServer(
            store: store,
            memory: ContextMemory(store, ranking: ContextRanking(embedder: HashedNGrams())),
            wake: {},
            library: { try LibraryStore.inMemory() },
            camera: LiveLook(search: nil, things: nil),
            port: 0,
            token: Self.token
        )
        try await server.server.serve { try await body(Browser(client: $0, store: store)) }
    }

    @Test(arguments: [
        nil, "", "spinebench-studio=", "spinebench-studio=abc123", "spinebench-studio-1=abc123", "other=abc123",
        "spinebench-studio",
    ])
    func withoutTheTokenNobodySeesAnything(cookie: String?) async throws {
        try await withStudio { (browser: Browser) async throws in
            for path in ["/", "/studio.js", "/api/sessions", "/api/day", "/events", "/picture", "/?token=wrong"] {
                #expect(try await browser.send(.get, path, cookie: cookie).status == 403)
            }
            #expect(try await browser.send(.post, "/api/capture", "{\"text\":\"a\"}", cookie: cookie).status == 403)
            #expect(try browser.store.counts().items == 0)
        }
    }

    @Test func theTokenBecomesACookieThatNoScriptSees() async throws {
        try await withStudio { browser in
            // The client follows redirections: it receives the page, or the answer before it.
            let answer = try await browser.send(.get, "/?token=\(Self.token)", cookie: nil)
            if answer.status == 303 {
                let cookie = answer.headers[.setCookie] ?? ""
                #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
                #expect(answer.headers[.location] == "/")
            } else {
                Issue.record("status \(answer.status)")
            }
        }
    }

    @Test func anotherPageChangesNothing() async throws {
        try await withStudio { browser in
            let answer = try await browser.send(.post, "/api/capture", "{\"text\":\"a b\"}", isOwn: false)
            #expect(answer.status == 403)
            #expect(try browser.store.counts().items == 0)
        }
    }

    @Test func aTextIsCapturedRenamedCopiedMergedAndDeleted() async throws {
        try await withStudio { browser in
            let captured = try await browser.send(.post, "/api/capture", "{\"text\":\"Buy milk\"}")
            #expect(captured.status == 201)
            let item = try browser.value(CapturedItem.self, captured.text)
            let session = item.sessionID
            #expect(try await browser.send(.post, "/api/rename?id=\(session)&tag=Food").status == 200)
            #expect(try browser.store.session(session)?.title == "Food")
            let copied = try await browser.send(.post, "/api/duplicate?id=\(session)")
            let copy = try browser.value(CaptureSession.self, copied.text)
            #expect(try browser.store.counts() == (2, 2, 2))
            #expect(try await browser.send(.post, "/api/merge?id=\(copy.id)&into=\(session)").status == 200)
            #expect(try browser.store.counts().sessions == 1)
            #expect(try await browser.send(.post, "/api/delete?item=\(item.id)").status == 200)
            #expect(try await browser.send(.post, "/api/delete?item=\(item.id)").status == 404)
            #expect(try await browser.send(.post, "/api/delete?id=\(session)").status == 200)
            #expect(try browser.store.counts() == (0, 0, 0))
            #expect(try await browser.send(.get, "/api/session?id=\(session)").status == 404)
        }
    }

    @Test func aPartMovesWithItsItem() async throws {
        try await withStudio { browser in
            let item = try #require(try browser.store.capture(NewCapture(kind: .text, capturedAt: Date())))
            let other = try #require(try browser.store.capture(NewCapture(kind: .text, capturedAt: Date())))
            let part = try #require(try browser.store.keepChildren(of: item.id, [("a", .book, { _ in })]).first)
            let answer = try await browser.send(.post, "/api/move?item=\(part.id)&into=\(other.sessionID)")
            #expect(answer.status == 409 && answer.text.contains("moves with that one"))
            #expect(try await browser.send(.post, "/api/move?item=\(item.id)&into=\(other.sessionID)").status == 200)
            #expect(try browser.store.item(part.id)?.sessionID == other.sessionID)
        }
    }

    @Test func aBodyThatIsTooLargeIsRefusedBeforeItComes() async throws {
        try await withStudio { browser in
            let connection = try RawConnection(port: browser.client.port)
            connection.send(
                "POST /api/capture HTTP/1.1\r\nHost: localhost\r\nCookie: spinebench-studio-80=\(Self.token)\r\n"
                    + "X-SpineBench: 1\r\nContent-Length: \(CaptureIntake.mostBytes + 1)\r\n\r\n"
            )
            #expect(await connection.text(until: "}").hasPrefix("HTTP/1.1 413 "))
            connection.end()
        }
    }

    @Test func aPictureComesBackAsWhatItIs() async throws {
        try await withStudio { browser in
            var new = NewCapture(kind: .image, capturedAt: Date())
            new.picture = Data("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8)
            let item = try #require(try browser.store.capture(new))
            let answer = try await browser.send(.get, "/picture?id=\(item.id)&role=original")
            #expect(answer.status == 200)
            #expect(answer.headers[.contentType] == "application/octet-stream")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            #expect(try await browser.send(.get, "/picture?id=\(item.id)&role=cutout").status == 404)
            #expect(try await browser.send(.get, "/picture?id=\(item.id)&role=passwd").status == 400)
        }
    }

    @Test(arguments: [
        ("/api/search?q=tea", 200), ("/api/search?q=%20", 400), ("/api/search", 400),
        ("/api/session?id=x", 400), ("/api/session", 400), ("/api/item?id=\(UUID())", 404),
        ("/api/sessions?limit=0", 400),
        ("/api/sessions?limit=9999", 400), ("/api/sessions?from=-1", 400), ("/none", 404), ("/../etc/passwd", 404),
        ("/api/sessions", 200), ("/api/day", 200), ("/", 200), ("/studio.css", 200), ("/studio.js", 200),
        ("/select.js", 200), ("/api/export?id=\(UUID())", 404), ("/api/export", 400),
    ])
    func questions(path: String, status: Int) async throws {
        try await withStudio { browser in
            let answer = try await browser.send(.get, path)
            #expect(answer.status == status)
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test(arguments: [
        ("/api/capture", "", 400), ("/api/capture", "{}", 400),
        ("/api/capture", "{\"url\":\"file:///etc/passwd\"}", 422),
        ("/api/capture", "{\"url\":\"https://a.org\",\"text\":\"b\"}", 400), ("/api/capture", "{\"text\":\"\"}", 422),
        ("/api/capture?session=\(UUID())", "{\"text\":\"a b\"}", 404), ("/api/rename?id=\(UUID())&tag=", "", 400),
        ("/api/rename?id=\(UUID())&tag=a", "", 404), ("/api/rename?id=\(UUID())&tag=a&title=b", "", 400),
        ("/api/duplicate?id=\(UUID())", "", 404), ("/api/merge?id=\(UUID())&into=\(UUID())", "", 404),
        ("/api/delete?id=\(UUID())", "", 404), ("/api/delete", "", 400), ("/api/none", "", 404),
        ("/api/delete?item=\(UUID())", "", 404), ("/api/move?item=\(UUID())&into=\(UUID())", "", 404),
        ("/api/retry?id=\(UUID())", "", 404), ("/api/retry?id=1", "", 400), ("/api/retry", "", 400),
        ("/api/library?item=\(UUID())", "", 404), ("/api/library?item=x", "", 400), ("/api/merge?id=x&into=y", "", 400),
    ])
    func mistakesChangeNothing(path: String, body: String, status: Int) async throws {
        try await withStudio { browser in
            let answer = try await browser.send(.post, path, body)
            #expect(answer.status == status)
            #expect(answer.text.contains("error"))
            #expect(try browser.store.counts() == (0, 0, 0))
        }
    }
}
