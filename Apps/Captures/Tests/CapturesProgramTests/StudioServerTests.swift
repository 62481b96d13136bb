import BookCatalogue
import Foundation
import HTTPTypes
import ServerSupport
import TestSupport
import Testing

@testable import CaptureSpace
@testable import Captures
@testable import CapturesProgram

/// Studio's server: access rights, changes, and their results.
@Suite(.inTurns) struct StudioServerTests {
    private static let token = "abc123"

    private struct Browser: Sendable {
        var client: TestClient
        var store: CaptureStore

        func send(
            _ method: HTTPRequest.Method,
            _ path: String,
            _ body: String? = nil,
            cookie: String? = StudioServerTests.token,
            isOwn: Bool = true
        ) async throws -> (status: Int, text: String, headers: HTTPFields) {
            var headers: HTTPFields = [:]
            // The test's client names no port: that is 80.
            if let cookie {
                headers[.cookie] = cookie == StudioServerTests.token ? "spinebench-studio-80=\(cookie)" : cookie
            }
            if isOwn, let name = HTTPField.Name("x-spinebench") { headers[name] = "1" }
            let response = try await client.send(method, path, headers: headers, body: Array((body ?? "").utf8))
            return (response.status.code, response.text, response.headers)
        }

        func act(_ action: String, _ id: UUID, _ value: String = "") async throws -> (status: Int, text: String) {
            let body = try JSONEncoder().encode(["action": action, "id": id.uuidString, "value": value])
            let answer = try await send(.post, "/api/act", String(decoding: body, as: UTF8.self))
            return (answer.status, answer.text)
        }

        func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            return try decoder.decode(type, from: Data(text.utf8))
        }
    }

    private func withStudio(_ body: @escaping @Sendable (Browser) async throws -> Void) async throws {
        let store = try CaptureStore.inMemory()
        let server = StudioServer(
            store: store,
            memory: CaptureMemory(over: store),
            wake: {},
            catalogue: try .embedded(),
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
            #expect(try await browser.send(.post, "/api/capture", "a", cookie: cookie).status == 403)
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
            let answer = try await browser.send(.post, "/api/capture", "a b", isOwn: false)
            #expect(answer.status == 403)
            #expect(try browser.store.counts().items == 0)
        }
    }

    @Test func aTextIsCapturedRenamedCopiedMergedAndDeleted() async throws {
        try await withStudio { browser in
            let captured = try await browser.send(.post, "/api/capture", "Buy milk")
            #expect(captured.status == 201)
            let item = try browser.value(CapturedItem.self, captured.text)
            let session = item.sessionID
            #expect(try await browser.act("rename", session, "Food").status == 200)
            #expect(try browser.store.session(session)?.title == "Food")
            #expect(try browser.store.session(session)?.titleSource == .user)
            let copied = try await browser.act("duplicate", session)
            let copy = try #require(try browser.value(Result.self, copied.text).session)
            #expect(try browser.store.counts() == (2, 2, 2))
            #expect(try await browser.act("merge", copy, session.uuidString).status == 200)
            #expect(try browser.store.counts().sessions == 1)
            #expect(try await browser.act("delete", item.id).status == 200)
            #expect(try await browser.act("delete", item.id).status == 404)
            #expect(try await browser.act("delete", session).status == 200)
            #expect(try browser.store.counts() == (0, 0, 0))
            #expect(try await browser.send(.get, "/api/session?id=\(session)").status == 404)
        }
    }

    private struct Result: Decodable { var session: UUID? }

    @Test func aPartMovesWithItsItem() async throws {
        try await withStudio { browser in
            let item = try browser.store.capture(NewCapture(kind: .text, capturedAt: Date()))
            let other = try browser.store.capture(NewCapture(kind: .text, capturedAt: Date()))
            let part = try #require(try browser.store.keepChildren(of: item.id, [("a", .book, { _ in })]).first)
            let answer = try await browser.act("move", part.id, other.sessionID.uuidString)
            #expect(answer.status == 409 && answer.text.contains("moves with that one"))
            #expect(try await browser.act("move", item.id, other.sessionID.uuidString).status == 200)
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
            let item = try browser.store.capture(new)
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
        ("/api/sessions?limit=9999", 400), ("/none", 404), ("/../etc/passwd", 404),
        ("/api/sessions", 200), ("/api/day", 200), ("/", 200), ("/studio.css", 200), ("/studio.js", 200),
        ("/api/books?q=dune", 200), ("/api/books", 400), ("/api/books?id=\(UUID())", 200),
        ("/api/export?id=\(UUID())", 404), ("/api/export", 400),
    ])
    func questions(path: String, status: Int) async throws {
        try await withStudio { browser in
            let answer = try await browser.send(.get, path)
            #expect(answer.status == status)
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test(arguments: [
        ("/api/capture", "", 422), ("/api/capture", " \n", 422), ("/api/capture?session=\(UUID())", "a b", 404),
        ("/api/capture?session=x", "a b", 400), ("/api/none", "", 404), ("/api/act", "", 400), ("/api/act", "{}", 400),
        ("/api/settings", "{}", 404),
        ("/api/secret?id=\(UUID())", "", 404),
        ("/api/secret", "", 400),
    ])
    func mistakesChangeNothing(path: String, body: String, status: Int) async throws {
        try await withStudio { browser in
            let answer = try await browser.send(.post, path, body)
            #expect(answer.status == status)
            #expect(answer.text.contains("error"))
            #expect(try browser.store.counts() == (0, 0, 0))
        }
    }

    @Test(arguments: [
        ("none", "", 400), ("rename", "", 400), ("rename", " ", 400),
        ("rename", String(repeating: "a", count: 201), 400),
        ("rename", "a", 404), ("duplicate", "", 404), ("merge", "x", 400), ("merge", "\(UUID())", 404),
        ("delete", "", 404), ("move", "\(UUID())", 404), ("retry", "", 404), ("reprocess", "", 404),
        ("archive", "", 404), ("unarchive", "", 404), ("answer", "a", 404), ("library", "", 404), ("untag", "a", 404),
        ("untag", "", 400),
        ("book", "", 400), ("book", "#122", 404), ("book", "978-0-00-000000-2", 400), ("book", "A title", 404),
    ])
    func actionsWithNothing(action: String, value: String, status: Int) async throws {
        try await withStudio { browser in
            let answer = try await browser.act(action, UUID(), value)
            #expect(answer.status == status && answer.text.contains("error"), "\(answer)")
        }
    }
}
