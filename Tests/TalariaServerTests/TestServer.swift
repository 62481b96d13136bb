import Basics
import BookCatalogue
import Foundation
import HTTPServer
import HTTPTypes
import Imaging
import ServerSupport
import Synchronization
import Talaria
import Testing

@testable import TalariaServer

/// Server on a loopback port with folders of its own, a few books, and a reader scripted by the test.
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

    let folder: URL
    var configuration: ServerConfiguration
    var reader = PhotoReader { _, _ in PhotoText(lines: duneLines) }
    var log = ServerLog.none
    var now: @Sendable () -> Date = { Date() }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("talaria-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        configuration = ServerConfiguration(
            dataDirectory: folder.appendingPathComponent("data").path,
            imageDirectory: folder.appendingPathComponent("images").path
        )
        configuration.rateLimits = .none
        configuration.queueLimit = 50
        // The limits of slow machines cut off only clients that the test wants to.
        configuration.connection.bodyTimeout = .seconds(86_400)
        configuration.connection.bodyIdleTimeout = .seconds(86_400)
        configuration.connection.writeTimeout = .seconds(86_400)
        configuration.streamCeiling = .seconds(86_400)
    }

    /// Lets the reader of photos wait until the gate is open.
    mutating func holdReader() -> Gate {
        let gate = Gate()
        reader = PhotoReader { _, _ in
            gate.wait()
            return PhotoText(lines: Self.duneLines)
        }
        return gate
    }

    func make() throws -> TalariaServer {
        try TalariaServer(
            configuration: configuration,
            catalogue: BookCatalogue(books: Self.books, name: "test"),
            reader: reader,
            log: log,
            now: now
        )
    }

    /// Runs a server of the usual kind while `test` talks to it, and removes its folders.
    static func run(_ test: @escaping @Sendable (ServerClient) async throws -> Void) async throws {
        let server = try TestServer()
        defer { server.remove() }
        try await server.run(test)
    }

    /// Runs the server while `test` talks to it.
    func run(_ test: @escaping @Sendable (ServerClient) async throws -> Void) async throws {
        let server = try make()
        try await run(server, test)
    }

    /// Runs a server that was made before.
    func run(_ server: TalariaServer, _ test: @escaping @Sendable (ServerClient) async throws -> Void) async throws {
        try await serving(until: server.shutdown, run: server.run) { client in
            try await test(ServerClient(client: client, server: server))
        }
    }

    /// Location of the folders of jobs with pictures.
    var pictureFolder: String { "\(configuration.imageDirectory)/\(JobFiles.folderName)" }

    /// Names of the contents of the folder of pictures, without its lock.
    var pictures: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: pictureFolder)) ?? [])
            .filter { $0 != FolderLock.fileName }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

/// Requests as the app sends them; remembers which statuses each route answered with.
struct ServerClient: Sendable {
    let client: TestClient
    let server: TalariaServer
    let seen = SeenStatuses.all

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
        let response = try await client.send(method, uri, headers: fields, body: body)
        seen.insert(method: method.rawValue, uri: uri, status: response.status.code)
        return response
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
        return try WireJSON.decode(ScanAccepted.self, from: response.data)
    }

    /// Returns the whole stream of a job.
    func stream(_ job: ScanAccepted, after id: String? = nil) async throws -> [StreamedEvent] {
        let response = try await send(
            .get,
            "/v3/jobs/scans/\(job.jobID)/stream",
            token: job.token,
            accept: "text/event-stream",
            headers: id.map { ["Last-Event-ID": $0] } ?? [:]
        )
        #expect(response.status == .ok)
        return StreamedEvent.events(in: response.text)
    }

    func enrich(
        _ text: String,
        headers: [String: String] = [:],
        uri: String = "/v3/jobs/enrich"
    ) async throws
        -> TestClient.Response
    {
        let request = EnrichRequest(rawText: text, deviceID: try #require(UUID(uuidString: TestServer.device)))
        return try await send(
            .post,
            uri,
            device: nil,
            headers: headers,
            body: Array(try WireJSON.encode(request))
        )
    }
}

extension TestClient.Response {
    var data: Data { Data(body) }

    func problem() throws -> ProblemDetails { try WireJSON.decode(ProblemDetails.self, from: data) }
}

/// Event in the form of a stream.
struct StreamedEvent: Sendable, Equatable {
    var id: String?
    var name: String
    var data: String

    func event() throws -> ScanEvent { try ScanEvent(name: name, data: Data(data.utf8)) }

    static func events(in text: String) -> [StreamedEvent] {
        text.split(separator: "\n\n").compactMap { block in
            var fields: [Substring: String] = [:]
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: ": ", maxSplits: 1)
                if parts.count == 2 { fields[parts[0]] = String(parts[1]) }
            }
            guard let name = fields["event"], let data = fields["data"] else { return nil }
            return StreamedEvent(id: fields["id"], name: name, data: data)
        }
    }
}

/// Answers of routes in all tests of this process.
final class SeenStatuses: Sendable {
    static let all = SeenStatuses()
    private let seen = Mutex<Set<String>>([])

    func insert(method: String, uri: String, status: Int) {
        let path = uri.split(separator: "?").first.map(String.init) ?? uri
        let parts = path.split(separator: "/").map { UUID(uuidString: String($0)) == nil ? String($0) : "{id}" }
        seen.withLock { _ = $0.insert("\(method) /\(parts.joined(separator: "/")) \(status)") }
    }

    var lines: Set<String> { seen.withLock { $0 } }
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
