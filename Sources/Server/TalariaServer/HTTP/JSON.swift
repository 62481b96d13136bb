import Basics
import Foundation
import HTTPServer
import HTTPTypes
import Talaria

enum JSON {
    /// - Returns: its text, keys sorted so that equal values have equal bytes.
    static func data(_ value: some Encodable) -> Data {
        do {
            return try WireJSON.encode(value)
        } catch {
            preconditionFailure("a message of this server cannot be written as JSON: \(error)")
        }
    }

    static func response(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: [.contentType: "application/json"], body: .bytes(Array(data(value))))
    }

    /// Returns an answer `{success, data, _links, metadata}`, as most are.
    static func envelope(
        _ data: any Encodable,
        links: [String: String]? = nil,
        metadata: [String: String]? = nil,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let fields: KeyValuePairs<String, (any Encodable)?> = [
            "success": true, "data": data, "_links": links, "metadata": metadata,
        ]
        return response(Members(fields: fields), status: status)
    }

    /// Returns the time as all messages write it: ISO 8601 with milliseconds, UTC.
    static func timestamp(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

extension Response {
    func with(_ fields: HTTPFields) -> Response {
        var response = self
        response.headers.append(contentsOf: fields)
        return response
    }
}

/// Header fields that the HTTP library does not name.
extension HTTPField.Name {
    static let deviceID = named("X-Device-ID")
    static let idempotencyKey = named("Idempotency-Key")
    static let idempotencyReplayed = named("Idempotency-Replayed")
    static let lastEventID = named("Last-Event-ID")
    static let requestID = named("X-Request-ID")
    static let accelBuffering = named("X-Accel-Buffering")
    static let rateLimit = named("X-RateLimit-Limit")
    static let rateLimitRemaining = named("X-RateLimit-Remaining")
    static let rateLimitReset = named("X-RateLimit-Reset")

    private static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("invalid header field name \(name)") }
        return name
    }
}
