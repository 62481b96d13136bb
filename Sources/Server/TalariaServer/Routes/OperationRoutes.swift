import Foundation
import HTTPServer
import HTTPTypes

/// Routes for those who run the server.
extension TalariaServer {
    /// Answers `GET /health`: the process lives.
    func health(_ request: Request) -> Response {
        JSON.response(Health(status: "ok", faultInjection: faults?.plan.probabilities.map(\.name)))
    }

    /// Answers `GET /ready`: engine and catalogue are warm, there is room for pictures, and the server is not
    /// stopping.
    func ready(_ request: Request) -> Response {
        let hasRoom = storage.hasRoom
        let isReady = readiness.isReady && hasRoom
        return JSON.response(
            Health(status: isReady ? "ready" : hasRoom ? "not ready" : "no space"),
            status: isReady ? .ok : .serviceUnavailable
        )
    }

    /// Answers `GET /metrics`.
    func showMetrics(_ request: Request) -> Response {
        metrics.gauge("talaria_queue_photos", queue.photos)
        metrics.gauge("talaria_open_streams", signals.count)
        return Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: .bytes(Array(metrics.text.utf8))
        )
    }

    /// Answers `GET /openapi.json`.
    func openAPI(_ request: Request) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: .bytes(Self.openAPIDocument)
        )
    }

    /// The description of the API that clients and their generators read, OpenAPI 3.1: `openapi.json` of this target.
    static let openAPIDocument: [UInt8] = PackageResources.openapi_json

    private struct Health: Encodable {
        var status: String
        /// The kinds of faults that are on; absent in any server that is meant to work.
        var faultInjection: [String]?
    }
}
