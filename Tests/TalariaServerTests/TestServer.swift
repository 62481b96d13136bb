import ArgumentParser
import Basics
import BookCatalogue
import Foundation
import GRDB
import HTTPServer
import HTTPTypes
import Imaging
import ServerSupport
import Synchronization
import Talaria
import Testing

@testable import TalariaServer

/// Server on a loopback port with a few books, and a reader scripted by the test.
struct TestServer: Sendable {
    static let device = "7b0f0c9e-6a0e-4b57-9d3e-1c2f3a4b5c6d"
    static let otherDevice = "0d9f6ef1-7a52-4c0b-8a53-2f8f3f0a9b11"
    static let dune = BookRecord(
        title: "Dune",
        authors: ["Frank Herbert"],
        isbn: ISBN("978-0-441-17271-9"),
        publisher: "Ace",
        year: 1990,
        coverURL: "https://covers.example/dune.jpg"
    )
    static let books = [
        dune, BookRecord(title: "Dune Messiah", authors: ["Frank Herbert"]),
        BookRecord(title: "Emma", authors: ["Jane Austen"], year: 1815),
        BookRecord(title: "Persuasion", authors: ["Jane Austen"]),
        BookRecord(title: "Thérèse Raquin", authors: ["Émile Zola"]),
        BookRecord(title: "The Heart Is a Lonely Hunter", authors: ["Carson McCullers"]),
    ]
    /// Text that the default reader reads off any photo.
    static let duneLines = ["FRANK HERBERT", "DUNE"].map { RemoteLine(text: $0) }
    /// A picture of four by two pixels.
    static let photo: [UInt8] = {
        let image = RasterImage(width: 4, height: 2, channels: 1, pixels: [UInt8](repeating: 128, count: 8))
        return (try? ImageCodec.encodePNG(image)) ?? []
    }()

    var configuration: ServerConfiguration
    var limits = ServerLimits()
    var books = Self.books
    var faults: FaultPlan?
    var reader = PhotoReader { _, _ in [SpineText(lines: duneLines)] }
    var log = ServerLog.none
    var now: @Sendable () -> Date = { Date() }

    /// Creates a server with its jobs in memory; `options` are those that differ from the usual ones.
    init(_ options: String...) throws { try self.init(options: options) }

    private init(options: [String]) throws {
        // The limits of slow machines cut off only clients that the test wants to.
        let usual = ["--port", "0", "--rate-limit", "off", "--queue", "50"]
        configuration = try .parse(usual + options)
        (limits.connection.writeTimeout, limits.connection.bodyTimeout) = (.seconds(86_400), .seconds(86_400))
        limits.streamCeiling = .seconds(86_400)
    }

    /// Keeps the log for the test.
    mutating func keepLog() -> LogLines {
        let lines = LogLines()
        log = ServerLog(from: .info) { lines.append($0) }
        return lines
    }

    /// Lets the reader of photos wait until the gate is open.
    mutating func holdReader(_ lines: [RemoteLine] = Self.duneLines) -> Gate {
        let gate = Gate()
        reader = PhotoReader { _, _ in
            gate.wait()
            return [SpineText(lines: lines)]
        }
        return gate
    }

    func make() throws -> TalariaServer {
        try TalariaServer(
            configuration: configuration,
            limits: limits,
            faults: faults,
            catalogue: BookCatalogue(books: books, name: "test"),
            reader: reader,
            log: log,
            now: now
        )
    }

    /// Runs a server while `test` talks to it.
    static func run(
        _ options: String...,
        test: @escaping @Sendable (ServerClient) async throws -> Void
    ) async throws {
        try await TestServer(options: options).run(test)
    }

    /// Runs the server while `test` talks to it.
    func run(_ test: @escaping @Sendable (ServerClient) async throws -> Void) async throws {
        let server = try make()
        try await serving(until: server.shutdown, run: server.run) { client in
            try await test(ServerClient(client: client, server: server))
        }
    }
}

/// Requests as the app sends them.
struct ServerClient: Sendable {
    let client: TestClient
    let server: TalariaServer

    func send(
        _ method: HTTPRequest.Method,
        _ uri: String,
        device: String? = TestServer.device,
        token: String? = nil,
        accept: String? = nil,
        headers: [String: String] = [:],
        body: [UInt8] = []
    ) async throws -> TestClient.Response {
        var fields: HTTPFields = [:]
        if let device { fields[.deviceID] = device }
        if let token { fields[.authorization] = "Bearer \(token)" }
        if let accept { fields[.accept] = accept }
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        return try await client.send(method, uri, headers: fields, body: body)
    }

    func upload(
        _ photos: [[UInt8]] = [TestServer.photo],
        device: String? = TestServer.device,
        name: String = "photos[]",
        fileName: String = "spine.jpg",
        headers: [String: String] = [:]
    ) async throws -> TestClient.Response {
        var body: [UInt8] = []
        for photo in photos {
            let head = "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(fileName)\"\r\n"
            body += Array("\(head)Content-Type: image/jpeg\r\n\r\n".utf8) + photo + Array("\r\n".utf8)
        }
        body += Array("--XX--\r\n".utf8)
        let type = ["Content-Type": "multipart/form-data; boundary=XX"]
        return try await send(
            .post,
            "/v3/jobs/scans",
            device: device,
            headers: headers.merging(type) { $1 },
            body: body
        )
    }

    func accepted(_ response: TestClient.Response) throws -> ScanAccepted {
        #expect(response.status == .accepted)
        return try response.decoded()
    }

    /// Uploads a photo that is accepted.
    func job(_ photos: Int = 1, headers: [String: String] = [:]) async throws -> ScanAccepted {
        try accepted(try await upload(Array(repeating: TestServer.photo, count: photos), headers: headers))
    }

    /// Returns the answer about a job, at the end of its address.
    func get(_ end: String = "", of job: ScanAccepted) async throws -> TestClient.Response {
        try await send(.get, "\(job.path)\(end)", token: job.token)
    }

    /// Returns the whole stream of a job.
    func stream(_ job: ScanAccepted, after id: String? = nil) async throws -> [ServerSentEvent] {
        let response = try await send(
            .get,
            "\(job.path)/stream",
            token: job.token,
            accept: "text/event-stream",
            headers: id.map { ["Last-Event-ID": $0] } ?? [:]
        )
        #expect(response.status == .ok)
        return try ServerSentEvent.events(in: response.text)
    }

    func enrich(
        _ text: String,
        headers: [String: String] = [:],
        uri: String = "/v3/jobs/enrich"
    ) async throws -> TestClient.Response {
        let request = EnrichRequest(rawText: text, deviceID: try #require(UUID(uuidString: TestServer.device)))
        return try await send(.post, uri, device: nil, headers: headers, body: Array(try WireJSON.encode(request)))
    }

    /// Returns the number of stored pictures.
    func pictures() async throws -> Int { try await server.pictures() }
}

extension TalariaServer {
    /// Returns the number of stored pictures.
    func pictures() async throws -> Int { try await store.database.read { try Picture.fetchCount($0) } }
}

extension ScanAccepted {
    var path: String { "/v3/jobs/scans/\(jobID)" }
}

extension TestClient.Response {
    func decoded<Value: Decodable>() throws -> Value { try WireJSON.decode(Value.self, from: Data(body)) }

    func problem() throws -> ProblemDetails { try decoded() }
}

extension ServerSentEvent {
    func event() throws -> ScanEvent { try ScanEvent(name: name, data: Data(data)) }

    static func events(in text: String) throws -> [ServerSentEvent] {
        var parser = SSEParser()
        return try parser.push(Array(text.utf8))
    }
}

/// Holds readers back until a test lets them go.
final class Gate: Sendable {
    private let condition = Mutex((isOpen: false, waiting: 0))

    /// Blocks the thread until the gate is open.
    func wait() {
        condition.withLock { $0.waiting += 1 }
        while !condition.withLock({ $0.isOpen }) { usleep(1_000) }
    }

    func open() { condition.withLock { $0.isOpen = true } }

    /// Readers that have reached the gate.
    var waiting: Int { condition.withLock { $0.waiting } }

    func untilWaiting(_ count: Int) async {
        while waiting < count { try? await Task.sleep(for: .milliseconds(1)) }
    }
}

/// Waits, in small steps, for the effect of other threads; the suite's time limit ends a wait that never succeeds.
func until(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
}
