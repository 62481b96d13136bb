import Basics
import BookCatalogue
import CaptureReading
import CaptureSpace
import Captures
import Foundation
import HTTPServer
import HTTPTypes
import Imaging
import LocalPages
import ScanningPipeline

/// The page of sessions, on this machine alone, until Ctrl-C: its parts, sessions, items and pictures, and the user's
/// actions.
struct StudioServer: Sendable {
    var store: CaptureStore
    var memory: CaptureMemory
    var wake: @Sendable () -> Void
    /// Books that an item may be.
    var catalogue: BookCatalogue
    /// Opens the owner's library.
    var library: @Sendable () throws -> LibraryStore
    /// Services that are asked about captures.
    var sources: [StudioSource] = []
    /// Folder of the page's exports.
    var downloads =
        FileManager.default.urls(for: .downloadsDirectory, in: .userDomainMask).first
        ?? FileManager.default.homeDirectoryForCurrentUser
    /// Look through the page's camera.
    var camera: LiveLook
    /// 0 for a free one.
    var port: Int
    /// Token required for every access: other users of this machine can reach the port.
    var token = LocalPage.newToken()
    private let shutdown = Shutdown()

    private var page: LocalPage {
        LocalPage(
            command: "studio",
            html: PackageResources.studio_html,
            style: PackageResources.studio_css,
            script: PackageResources.studio_js,
            token: token
        )
    }

    /// Serves requests until Ctrl-C.
    func run() async throws { try await page.run(port: port, until: shutdown, respond: respond) }

    var server: HTTPServer { page.server(port: port, respond: respond) }

    @Sendable func respond(to request: Request) async -> Response {
        do {
            return try await answer(request)
        } catch RequestError.tooLong {
            let most = "a capture may have \(CaptureIntake.mostBytes >> 20) MiB"
            return LocalPage.problem(.contentTooLarge, "the request is too large; \(most)")
        } catch {
            return LocalPage.problem(Self.status(of: error), "\(error)")
        }
    }

    private static func status(of error: any Error) -> HTTPResponse.Status {
        switch error {
        case is StudioProblem: .badRequest
        case is CaptureError, is ImageCodecError: .unprocessableContent
        case is Missing: .notFound
        case CaptureFault.unfinished, CaptureFault.archived, CaptureFault.partOfItem: .conflict
        case CaptureFault.damaged: .internalServerError
        case is CaptureFault: .notFound
        default: .internalServerError
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        switch (request.method, request.path) {
        case (.get, "/picture"): return try picture(request)
        case (.get, "/events"): return events()
        case (.post, "/api/capture"): return try await LocalPage.json(capture(request), .created)
        default: return try await LocalPage.json(value(request))
        }
    }

    private func value(_ request: Request) async throws -> any Encodable {
        switch (request.method, request.path) {
        case (.get, "/api/day"): return try day()
        case (.get, "/api/sessions"): return try sessions(request)
        case (.get, "/api/recent"):
            return try store.recent(limit: number(request, "limit", 1...5_000, 24), kind: kind(request))
        case (.get, "/api/session"): return try session(request)
        case (.get, "/api/export"): return try WholeSession.read(id(request, "id"), in: store)
        case (.get, "/api/item"):
            let id = try id(request, "id")
            guard let item = try store.item(id) else { throw CaptureFault.noItem(id) }
            return ItemPage(
                item: ItemWithFacts(item),
                known: item.shownFacts,
                printed: item.facts,
                children: try store.children(of: id).map(ItemWithFacts.init)
            )
        case (.get, "/api/search"): return try await search(request)
        case (.get, "/api/books"): return try await books(request)
        case (.get, "/api/settings"): return try settings()
        case (.post, "/api/act"): return try await act(request)
        case (.post, "/api/look"):
            let (camera, frame) = (camera, try await request.body.collect(upTo: 4 << 20))
            return try await ReaderQueue.run { try camera.look(frame) }
        case (.post, "/api/secret"):
            guard let secret = try store.secret(of: id(request, "id")) else {
                throw Missing(description: "the item has no secret")
            }
            return secret
        default: throw Missing(description: "not found; the page is at /")
        }
    }

    private struct Missing: Error, CustomStringConvertible { var description: String }

    // MARK: - Seeing

    private struct SessionPage: Encodable {
        var session: CaptureSession
        var items: [ItemSummary]
        /// Items of the session; more than are listed where a limit was asked for.
        var count: Int
    }

    private struct ItemPage: Encodable {
        var item: ItemWithFacts
        var known: [ShownFact]
        /// What is printed on it, with actions.
        var printed: [PrintedFact]
        var children: [ItemWithFacts]
    }

    private struct SearchPage: Encodable {
        /// Those with the words first.
        var items: [ItemSummary]
        /// Number of the first items, which have the words; the others are near by meaning.
        var words: Int
        /// Items that are found by words alone yet.
        var left: Int
    }

    private struct DayPage: Encodable {
        var story: String?
        /// Earlier days, the newest first.
        var days: [DayStory]
    }

    private func day() throws -> DayPage {
        let days = try store.days(limit: 15, calendar: .current)
        let today = try store.dayStory(of: Date(), calendar: .current)
        return DayPage(story: today?.text, days: days.filter { $0.day != today?.day })
    }

    private func sessions(_ request: Request) throws -> [SessionSummary] {
        let archived = try number(request, "archived", 0...1, 0) == 1
        let limit = try number(request, "limit", 1...5_000, 50)
        return try store.sessions(limit: limit, archived: archived).map { row in
            var row = row
            row.cover = try store.cover(of: row.id)
            return row
        }
    }

    private func session(_ request: Request) throws -> SessionPage {
        let id = try id(request, "id")
        guard let session = try store.session(id) else { throw CaptureFault.noSession(id) }
        let limit = request.query["limit"] == nil ? nil : try number(request, "limit", 1...10_000_000, 0)
        let (lines, count) = try store.summaries(of: id, captures: limit)
        return SessionPage(session: session, items: lines, count: count)
    }

    private func search(_ request: Request) async throws -> SearchPage {
        let query = String((request.query["q"] ?? "").prefix(1_000))
        guard query.known != nil else { throw StudioProblem("invalid q: expected a subject to search for") }
        let (kind, archived) = (try kind(request), try number(request, "archived", 0...1, 0) == 1)
        let found = try await memory.find(query, count: kind == nil ? 24 : 200, archived: archived)
        // A few at a time: the page reports the remaining number, and asks again.
        let left = try await memory.prepare(most: 20)
        let hits = try found.map { ($0, try store.summary($0.item)) }.filter { kind == nil || $1?.kind == kind }
        let words = hits.count { $0.0.match != .meaning }
        return SearchPage(items: hits.compactMap(\.1), words: words, left: left)
    }

    /// Returns the books that a typed text finds; without one, those that the item's text may be of, the likeliest first.
    private func books(_ request: Request) async throws -> [BookRecord] {
        let most = 8
        if let query = request.query["q"]?.known {
            return try catalogue.search(String(query.prefix(200)), limit: most, lookingAt: 2_000)
        }
        let text = try store.item(id(request, "id"))?.media.transcription ?? ""
        let lines = text.split(whereSeparator: \.isNewline).prefix(20).map(String.init)
        return try await ReaderQueue.run { [catalogue] in
            try CatalogueMatcher(catalogue: catalogue).match(lines, limit: most).candidates.map(\.book)
        }
    }

    /// Returns a picture with the type of its first bytes: executable contents are never sent under their own type.
    private func picture(_ request: Request) throws -> Response {
        let role: PictureRole = try choice(request, "role")
        guard let data = try store.picture(role, of: id(request, "id")) else {
            throw Missing(description: "picture not found")
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

    private struct Act: Decodable {
        var action: String
        /// Of a session or an item.
        var id: UUID
        var value: String?
    }

    private func act(_ request: Request) async throws -> ActionResult {
        let bytes = try await request.body.collect(upTo: 1 << 16)
        let act: Act
        do { act = try JSONDecoder().decode(Act.self, from: Data(bytes)) } catch {
            throw StudioProblem("invalid request: \(error)")
        }
        guard let action = StudioActions.all.first(where: { $0.name == act.action }) else {
            let names = StudioActions.all.map { $0.name }.joined(separator: ", ")
            throw StudioProblem("invalid action '\(act.action)': expected one of \(names)")
        }
        let input = ActionInput(
            store: store,
            id: act.id,
            value: act.value ?? "",
            catalogue: catalogue,
            library: library,
            downloads: downloads
        )
        let result = try await StudioActions.run(action, input)
        if result.waiting != nil { wake() }
        return result
    }

    private func capture(_ request: Request) async throws -> ItemWithFacts {
        let bytes = try await request.body.collect(upTo: CaptureIntake.mostBytes)
        let name = request.query["name"].map { String($0.prefix(255)) } ?? "picture"
        var new = try CaptureIntake.capture(bytes, name: name, at: Date())
        if request.query["session"] != nil { new.sessionID = try id(request, "session") }
        new.source = "studio"
        let item = try store.capture(new)
        wake()
        return ItemWithFacts(item)
    }

    // MARK: - Settings

    private struct Settings: Encodable {
        var sources: [StudioSource]
        var concepts: [UserConcept]
        /// Latest requests as lines of JSON, the newest first.
        var transfers: [String]
    }

    /// Maximum number of listed requests.
    private static let mostTransfers = 50

    private func settings() throws -> Settings {
        Settings(
            sources: sources,
            concepts: try store.concepts(),
            transfers: Array(try store.transfers().suffix(Self.mostTransfers).reversed())
        )
    }

    // MARK: - Parts

    private func id(_ request: Request, _ name: String) throws -> UUID {
        guard let id = request.query[name].flatMap({ UUID(uuidString: $0) }) else {
            throw StudioProblem("invalid \(name): expected an id")
        }
        return id
    }

    private func number(_ request: Request, _ name: String, _ range: ClosedRange<Int>, _ standard: Int) throws -> Int {
        guard let text = request.query[name] else { return standard }
        guard let value = Int(text), range.contains(value) else {
            throw StudioProblem("invalid \(name): expected \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ request: Request,
        _ name: String
    ) throws -> Value {
        guard let value = request.query[name].flatMap(Value.init(rawValue:)) else {
            let values = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw StudioProblem("invalid \(name): expected \(values)")
        }
        return value
    }

    private func kind(_ request: Request) throws -> ItemKind? {
        (request.query["kind"] ?? "").isEmpty ? nil : try choice(request, "kind")
    }
}

/// A service that is asked about captures, as the page lists it.
struct StudioSource: Encodable, Sendable {
    /// Name of the provider.
    var id: String
    /// Host that is asked; nil for one on this device.
    var host: String?
}
