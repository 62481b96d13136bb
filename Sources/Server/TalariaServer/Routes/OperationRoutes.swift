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
