import Foundation
import Imaging
import ServerSupport
import Synchronization
import Talaria
import Testing

@testable import TalariaServer

/// Back end in this process that reads ``FaultCode``s, with planned faults.
struct FaultServer: Sendable {
    let url: URL
    let reads: SpineReads
    private let server: TalariaServer

    /// Runs a server while `body` talks to it.
    ///
    /// - Throws: the errors of the server or `body`.
    static func run(_ body: @escaping @Sendable (FaultServer) async throws -> Void) async throws {
        let reads = SpineReads()
        var test = try TestServer("--queue", "4")
        test.faults = FaultPlan(seed: 0)
        test.books = FaultCatalogue.books
        test.reader = PhotoReader { bytes, name in
            let image = try ImageCodec.decode(bytes, name: name).image
            guard let code = FaultCode(image) else {
                throw FaultFinding("\(name) is not one of these tests'")
            }
            reads.note(code, bytes: bytes.count)
            return code.lines.isEmpty ? [] : [SpineText(lines: code.lines.map { RemoteLine(text: $0) })]
        }
        try await test.run { client in
            let url = try #require(URL(string: "http://127.0.0.1:\(client.client.port)"))
            try await body(FaultServer(url: url, reads: reads, server: client.server))
        }
    }

    /// Changes the faults from now on.
    func use(_ plan: FaultPlan) { server.use(plan) }

    /// Returns the number of stored pictures when the jobs under way have had time to end.
    func pictures() async throws -> Int {
        // Ten minutes: only pictures that will never be collected are left then.
        for _ in 0..<60_000 {
            if try await server.pictures() == 0 { return 0 }
            try await Task.sleep(for: .milliseconds(10))
        }
        return try await server.pictures()
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
