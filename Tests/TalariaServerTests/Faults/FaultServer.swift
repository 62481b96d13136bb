import BookCatalogue
import Foundation
import ServerSupport
import Synchronization
import Talaria

@testable import TalariaServer

/// Back end in this process that reads ``FaultCode``s, with planned faults.
struct FaultServer: Sendable {
    let url: URL
    let reads: SpineReads
    private let server: TalariaServer
    private let images: String

    /// Runs a server while `body` talks to it.
    ///
    /// - Throws: the errors of the server or `body`.
    static func run<Value: Sendable>(
        in folder: URL,
        _ body: @escaping @Sendable (FaultServer) async throws -> Value
    ) async throws -> Value {
        let reads = SpineReads()
        var configuration = ServerConfiguration(
            dataDirectory: folder.appending(path: "data").path,
            imageDirectory: folder.appending(path: "images").path
        )
        configuration.queueLimit = 4
        configuration.faults = FaultPlan(seed: 0)
        let catalogue = try BookCatalogue(books: FaultCatalogue.books, name: "check")
        let server = try TalariaServer.ofSpineCodes(configuration, catalogue: catalogue, lines: FaultCode.lines) {
            code,
            bytes in
            if let spine = FaultCode(code) { reads.note(spine, bytes: bytes) }
        }
        let images = configuration.imageDirectory
        let value = Mutex<Value?>(nil)
        try await serving(until: server.shutdown, run: server.run) { client in
            guard let url = URL(string: "http://127.0.0.1:\(client.port)") else { throw FaultFinding("no address") }
            let result = try await body(FaultServer(url: url, reads: reads, server: server, images: images))
            value.withLock { $0 = result }
        }
        guard let value = value.withLock({ $0 }) else { throw FaultFinding("the server ended before its test did") }
        return value
    }

    /// Changes the faults from now on.
    func use(_ plan: FaultPlan) { server.use(plan) }

    /// Returns pictures that are there when the jobs under way have had time to end.
    func pictures() async throws -> [String] {
        var left: [String] = []
        // Ten minutes: only pictures that will never be collected are left then.
        for _ in 0..<60_000 {
            left = Self.pictures(in: images)
            if left.isEmpty { return [] }
            try await Task.sleep(for: .milliseconds(10))
        }
        return left
    }
}

extension FaultServer {
    /// Returns folders of jobs and their photos: both have the job's id in their path, and the server's own mark has
    /// none.
    private static func pictures(in folder: String) -> [String] {
        (FileManager.default.subpaths(atPath: folder) ?? [])
            .filter { $0.split(separator: "/").contains { UUID(uuidString: String($0)) != nil } }
    }
}

/// Number of times that the back end has read each spine.
final class SpineReads: Sendable {
    private let counts = Mutex<[Int: (times: Int, bytes: Int)]>([:])

    func note(_ code: FaultCode, bytes: Int) {
        counts.withLock { counts in
            counts[code.number, default: (0, 0)].times += 1
            counts[code.number, default: (0, 0)].bytes += bytes
        }
    }

    /// - Returns: how often, and bytes of the pictures that came.
    func of(_ number: Int) -> (times: Int, bytes: Int) { counts.withLock { $0[number] ?? (0, 0) } }
}

extension FaultPlan {
    var names: [String] { probabilities.map(\.name) }
}

/// Transport that counts responses independently of the ledger.
final class WatchedTransport: HTTPTransport {
    /// Address without a listener.
    static let nowhere: URL = {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.port) = ("http", "127.0.0.1", 1)
        return parts.url ?? URL(filePath: "/")
    }()

    private let base: any HTTPTransport
    private let counts = Mutex((answers: 0, there: 0))

    init(_ base: any HTTPTransport) { self.base = base }

    var answers: Int { counts.withLock { $0.answers } }
    /// Whether no request went to where a server is.
    var onlyAway: Bool { counts.withLock { $0.there == 0 } }

    func send(_ request: TransportRequest, meter: TransferMeter) async throws -> TransportResponse {
        if request.url.port != Self.nowhere.port { counts.withLock { $0.there += 1 } }
        let response = try await base.send(request, meter: meter)
        counts.withLock { $0.answers += 1 }
        return response
    }
}
