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
        response(data(value), status: status)
    }

    static func response(_ data: Data, status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: [.contentType: "application/json"], body: .bytes(Array(data)))
    }

    /// Returns the time as all messages write it: ISO 8601 with milliseconds, UTC.
    static func timestamp(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

/// `{success, data, _links, metadata}`, which most answers are wrapped in.
struct Envelope<Content: Encodable & Sendable>: Encodable, Sendable {
    let success = true
    var data: Content
    var links: [String: String]?
    var metadata: [String: String]?

    private enum CodingKeys: String, CodingKey {
        case success, data, metadata
        case links = "_links"
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
