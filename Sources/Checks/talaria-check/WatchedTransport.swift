import Foundation
import Synchronization
import Talaria

/// Counts what comes back, independently of the ledger.
final class WatchedTransport: HTTPTransport {
    /// An address at which nobody listens.
    static let nowhere: URL = {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.port) = ("http", "127.0.0.1", 1)
        return parts.url ?? URL(filePath: "/")
    }()

    private let base: any HTTPTransport
    private let counts = Mutex((answers: 0, there: 0))

    init(_ base: any HTTPTransport) { self.base = base }

    /// Requests that were answered.
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
