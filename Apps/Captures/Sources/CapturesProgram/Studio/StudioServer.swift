import Basics
import BookCatalogue
import CaptureReading
import Captures
import ContextSpace
import Foundation
import HTTPServer
import HTTPTypes
import Imaging
import ScanningPipeline
import Systems

/// The page of sessions, on this machine alone, until Ctrl-C: its parts, sessions, items and pictures, and the user's
/// actions.
struct StudioServer: Sendable {
    var store: ContextStore
    var memory: ContextMemory
    var wake: @Sendable () -> Void
    /// Opens the owner's library.
    var library: @Sendable () throws -> LibraryStore
    /// Services that are asked about captures.
    var sources: [StudioSource] = []
    var hasFileHome = false
    /// Look through the page's camera.
    var camera: LiveLook
    /// 0 for a free one.
    var port: Int
    /// Token required for every access: other users of this machine can reach the port.
    var token: String
    private let shutdown = Shutdown()

    /// Serves requests until Ctrl-C.
    func run() async throws { try await LocalPage.run(server, of: "studio", token: token, until: shutdown) }

    var server: HTTPServer { LocalPage.server(port: port, respond: respond) }

    @Sendable func respond(to request: Request) async -> Response {
        if let answer = PageToken(command: "studio", secret: token).answer(to: request) { return answer }
        do {
            return try await answer(request)
        } catch let error as StudioProblem {
            return LocalPage.problem(error.status, error.text)
        } catch let error as CaptureError {
            return LocalPage.problem(.unprocessableContent, "\(error)")
        } catch BodyError.tooLong {
            return LocalPage.problem(
                .contentTooLarge,
                "the request is too large; a capture may have \(CaptureIntake.mostBytes >> 20) MiB"
            )
        } catch let error as ContextError {
            switch error {
            case .unfinished, .archived, .partOfItem: return LocalPage.problem(.conflict, "\(error)")
            case .damaged: return LocalPage.problem(.internalServerError, "\(error)")
            default: return LocalPage.problem(.notFound, "\(error)")
            }
        } catch {
            return LocalPage.problem(.internalServerError, "\(error)")
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        switch (request.method, request.path) {
        case (.get, "/"): return LocalPage.answer(.ok, PackageResources.studio_html, "text/html; charset=utf-8")
        case (.get, "/studio.css"):
            return LocalPage.answer(.ok, PackageResources.studio_css, "text/css; charset=utf-8")
        case (.get, "/studio.js"):
            return LocalPage.answer(.ok, PackageResources.studio_js, "text/javascript; charset=utf-8")
        case (.get, "/select.js"):
            return LocalPage.answer(.ok, PackageResources.select_js, "text/javascript; charset=utf-8")
        case (.get, "/api/day"): return try day()
        case (.get, "/api/sessions"): return try sessions(request)
        case (.get, "/api/recent"):
            return try LocalPage.json(store.recent(limit: number(request, "limit", 1...200, 24), kind: kind(request)))
        case (.get, "/api/session"):
            let id = try id(request, "id")
            guard let session = try store.session(id) else { throw ContextError.noSession(id) }
            let limit =
                request.query["limit"] == nil ? nil : try number(request, "limit", 1...10_000_000, 0)
            let (lines, count) = try store.summaries(of: id, captures: limit)
            return try LocalPage.json(SessionPage(session: session, items: lines, count: count))
        case (.get, "/api/export"): return try LocalPage.json(WholeSession.read(id(request, "id"), in: store))
        case (.get, "/api/item"):
            let item = try item(request, "id")
            return try LocalPage.json(ItemPage(item: item, facts: item.facts, children: store.children(of: item.id)))
        case (.get, "/api/search"):
            let query = (request.query["q"] ?? "").prefix(1_000)
            guard String(query).known != nil else {
                throw StudioProblem(.badRequest, "invalid q: expected a subject to search for")
            }
            let archived = try number(request, "archived", 0...1, 0) == 1
            // A few at a time: the page reports the remaining number, and asks again.
            let left = try await memory.prepare(most: 50)
            let kind = try kind(request)
            let hits = try await memory.find(
                String(query),
                count: kind == nil ? 24 : 200,
                archived: archived,
                isWhole: false
            )
            let items = try hits.compactMap { try store.summary($0.item) }
            return try LocalPage.json(SearchPage(items: items.filter { kind == nil || $0.kind == kind }, left: left))
        case (.get, "/picture"): return try picture(request)
        case (.get, "/file"):
            guard let file = try store.codeFile(of: id(request, "id")) else {
                throw StudioProblem(.notFound, "the item has no event and no contact")
            }
            var response = LocalPage.answer(.ok, file.text.utf8, file.mediaType)
            response.headers[.contentDisposition] = "attachment; filename=\"\(file.name)\""
            return response
        case (.get, "/events"): return events()
        case (.get, "/api/settings"): return try settings()
        case (.post, "/api/look"):
            let camera = camera
            do {
                let frame = try await request.body.collect(upTo: 4 << 20)
                return try await LocalPage.json(ReaderQueue.run { try camera.look(frame) })
            } catch let error as ImageCodecError {
                throw StudioProblem(.unprocessableContent, "\(error)")
            }
        case (.post, "/api/answer"):
            let given = try await body(GivenName.self, of: request, #"{"id": …, "is": …}"#)
            guard let item = try store.name(item: given.id, as: given.is) else { throw ContextError.noItem(given.id) }
            wake()
            return try LocalPage.json(item)
        case (.post, "/api/retry"):
            let waits = try store.retry(item: item(request, "id").id)
            wake()
            return try LocalPage.json(["waiting": waits ? 1 : 0])
        case (.post, "/api/secret"):
            guard let secret = try store.secret(of: id(request, "id")) else {
                throw StudioProblem(.notFound, "the item has no secret")
            }
            return try LocalPage.json(secret)
        case (.post, "/api/capture"):
            return try capture(await request.body.collect(upTo: CaptureIntake.mostBytes), of: request)
        case (.post, "/api/rename"): return try await rename(request)
        case (.post, "/api/move"):
            let (item, target) = try (item(request, "item"), id(request, "into"))
            try store.move(item: item.id, into: target)
            for session in Set([item.sessionID, target]) {
                try await store.describe(session: session, replacesEarlier: session != target)
            }
            return try LocalPage.json(["moved": 1])
        case (.post, "/api/library"):
            guard let book = try item(request, "item").enrichment.bookContext, let title = book.title else {
                throw StudioProblem(.unprocessableContent, "the item has no title of a book")
            }
            let record = BookRecord(
                title: title,
                authors: book.authors,
                isbn: book.isbn.flatMap { ISBN($0) },
                year: book.year
            )
            let kept = try library().upsert(LibraryBook(record, addedAt: Date(), tier: .manual))
            return try LocalPage.json(["title": kept.title])
        case (.post, "/api/duplicate"):
            return try LocalPage.json(store.duplicate(session: id(request, "id"), at: Date()))
        case (.post, "/api/reprocess"):
            let count = try store.reprocess(session: id(request, "id"))
            wake()
            return try LocalPage.json(["waiting": count])
        case (.post, "/api/archive"):
            return try LocalPage.json(["archived": store.archive(session: id(request, "id"))])
        case (.post, "/api/unarchive"): return try LocalPage.json(["back": store.unarchive(session: id(request, "id"))])
        case (.post, "/api/delete"):
            if request.query["item"] == nil {
                let session = try id(request, "id")
                guard try store.delete(session: session) else { throw ContextError.noSession(session) }
            } else {
                let item = try item(request, "item")
                try store.delete(item: item.id)
                // Its description is deleted, too.
                try? await store.describe(session: item.sessionID, replacesEarlier: true)
            }
            return try LocalPage.json(["deleted": 1])
        case (.post, "/api/merge"):
            let (source, target) = try (id(request, "id"), id(request, "into"))
            guard source != target else { throw StudioProblem(.badRequest, "a session cannot be merged into itself") }
            try store.merge(session: source, into: target)
            try await store.describe(session: target)
            return try LocalPage.json(["merged": 1])
        default:
            if request.method == .post, let changed = try await change(request.path, request) { return changed }
            throw StudioProblem(.notFound, "not found; the page is at /")
        }
    }

    // MARK: - Seeing

    private struct GivenName: Decodable {
        var id: UUID
        var `is`: String
    }

    private struct SessionPage: Encodable {
        var session: CaptureSession
        var items: [ItemSummary]
        /// Items of the session; more than are listed where a limit was asked for.
        var count: Int
    }

    private struct ItemPage: Encodable {
        var item: CapturedItem
        /// What is printed on it, with actions.
        var facts: [PrintedFact]
        var children: [CapturedItem]
    }

    private struct SearchPage: Encodable {
        /// The nearest first.
        var items: [ItemSummary]
        /// Items that cannot be found yet.
        var left: Int
    }

    private func day() throws -> Response {
        struct Page: Encodable {
            var story: String?
            /// Earlier days, the newest first.
            var days: [DayStory]
        }
        let now = Date()
        let days = try store.days(limit: 15, calendar: .current)
        let today = try store.dayStory(of: now, calendar: .current)
        return try LocalPage.json(Page(story: today?.text, days: days.filter { $0.day != today?.day }))
    }

    private func sessions(_ request: Request) throws -> Response {
        let from = try number(request, "from", 0...10_000_000, 0)
        let archived = try number(request, "archived", 0...1, 0) == 1
        let limit = try number(request, "limit", 1...200, 50)
        let rows = try store.sessions(limit: limit, offset: from, archived: archived).map { row in
            var row = row
            row.cover = try store.cover(of: row.id)
            return row
        }
        return try LocalPage.json(rows)
    }

    private func kind(_ request: Request) throws -> ItemKind? {
        guard let text = request.query["kind"], !text.isEmpty else { return nil }
        guard let kind = ItemKind(rawValue: text) else {
            throw StudioProblem(
                .badRequest,
                "invalid kind: expected \(ItemKind.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return kind
    }

    private func number(_ request: Request, _ name: String, _ range: ClosedRange<Int>, _ standard: Int) throws -> Int {
        guard let text = request.query[name] else { return standard }
        guard let value = Int(text), range.contains(value) else {
            throw StudioProblem(.badRequest, "invalid \(name): expected \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// Returns a picture with the type of its first bytes: executable contents are never sent under their own type.
    private func picture(_ request: Request) throws -> Response {
        guard let role = request.query["role"].flatMap({ PictureRole(rawValue: $0) }) else {
            throw StudioProblem(
                .badRequest,
                "invalid role: expected \(PictureRole.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        guard let data = try store.picture(role, of: id(request, "id")) else {
            throw StudioProblem(.notFound, "picture not found")
        }
        let type =
            data.starts(with: [0x89, 0x50, 0x4E, 0x47])
            ? "image/png" : data.starts(with: [0xFF, 0xD8, 0xFF]) ? "image/jpeg" : "application/octet-stream"
        return LocalPage.answer(.ok, data, type)
    }

    /// Revisions of the store as they come; a comment every 15 s keeps the line open.
    private func events() -> Response {
        let (store, shutdown) = (store, shutdown)
        let body = Response.Body.stream { writer in
            var (last, quiet) = (-1, 0)
            repeat {
                let revision = try store.revision()
                if revision != last {
                    let unfinished = try store.counts().unfinished
                    try await writer.write("data: {\"revision\":\(revision),\"unfinished\":\(unfinished)}\n\n")
                    (last, quiet) = (revision, 0)
                } else if quiet >= 60 {
                    try await writer.write(": here\n\n")
                    quiet = 0
                }
                quiet += 1
            } while await !shutdown.hasBegun(within: .milliseconds(250))
        }
        return Response(status: .ok, headers: LocalPage.headers("text/event-stream"), body: body)
    }

    // MARK: - Doing

    private struct Written: Decodable {
        var text: String?
        var url: String?
    }

    private func capture(_ bytes: [UInt8], of request: Request) throws -> Response {
        let parameters = request.query
        let name = parameters["name"].map { String($0.prefix(255)) } ?? "picture"
        var new: NewCapture
        if request.headers[.contentType]?.hasPrefix("application/json") == true {
            guard bytes.count <= CaptureIntake.mostTextBytes,
                let written = try? JSONDecoder().decode(Written.self, from: Data(bytes)),
                (written.text == nil) != (written.url == nil)
            else { throw StudioProblem(.badRequest, "expected {\"url\": …} or {\"text\": …}") }
            new =
                try written.url.map { try CaptureIntake.capture(address: $0, at: Date()) }
                ?? CaptureIntake.capture(Array((written.text ?? "").utf8), name: name, at: Date())
        } else {
            new = try CaptureIntake.capture(bytes, name: name, at: Date())
        }
        if parameters["session"] != nil { new.sessionID = try id(request, "session") }
        new.source = "studio"
        guard let item = try store.capture(new) else { throw StudioProblem(.conflict, "it was captured before") }
        wake()
        return try LocalPage.json(item, .created)
    }

    private func rename(_ request: Request) async throws -> Response {
        let parameters = request.query
        guard (parameters["tag"] == nil) != (parameters["title"] == nil),
            let text = parameters["tag"] ?? parameters["title"], text.known != nil, text.count <= 200
        else { throw StudioProblem(.badRequest, "expected a tag or a title of 1 to 200 characters") }
        if parameters["item"] != nil {
            let item = try id(request, "item")
            guard let renamed = try store.rename(item: item, text) else { throw ContextError.noItem(item) }
            return try LocalPage.json(renamed)
        }
        let source: CaptureSession.TitleSource = parameters["tag"] == nil ? .user : .tag
        return try LocalPage.json(
            store.update(session: id(request, "id")) { ($0.title, $0.titleSource) = (text, source) }
        )
    }

    // MARK: - Parts

    private func item(_ request: Request, _ name: String) throws -> CapturedItem {
        let id = try id(request, name)
        guard let item = try store.item(id) else { throw ContextError.noItem(id) }
        return item
    }

    private func id(_ request: Request, _ name: String) throws -> UUID {
        guard let id = request.query[name].flatMap({ UUID(uuidString: $0) }) else {
            throw StudioProblem(.badRequest, "invalid \(name): expected an id")
        }
        return id
    }
}

struct StudioProblem: Error {
    var status: HTTPResponse.Status
    var text: String

    init(_ status: HTTPResponse.Status, _ text: String) { (self.status, self.text) = (status, text) }
}
