import Basics
import HTTPServer
import HTTPTypes

/// Routes for those who run the server.
extension TalariaServer {
    /// Answers `GET /health`: the process lives.
    func health(_ request: Request) -> Response {
        // The kinds of faults that are on; absent in any server that is meant to work.
        JSON.response(Members(fields: ["status": "ok", "faultInjection": faults?.plan.names]))
    }

    /// Answers `GET /metrics`.
    func showMetrics(_ request: Request) async throws -> Response {
        metrics.gauge("talaria_queue_photos", try await store.openPhotos())
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
}
