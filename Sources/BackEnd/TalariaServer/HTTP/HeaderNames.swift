import HTTPTypes

/// Header fields that the HTTP library does not name.
extension HTTPField.Name {
    static let deviceID = named("X-Device-ID")
    static let idempotencyKey = named("Idempotency-Key")
    static let idempotencyReplayed = named("Idempotency-Replayed")
    static let lastEventID = named("Last-Event-ID")
    static let requestID = named("X-Request-ID")
    static let rateLimit = named("X-RateLimit-Limit")
    static let rateLimitRemaining = named("X-RateLimit-Remaining")
    static let rateLimitReset = named("X-RateLimit-Reset")

    private static func named(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header field's name") }
        return name
    }
}
