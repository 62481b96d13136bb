public import Foundation

/// Wait that a server asks of a client.
public enum RetryAfter {
    /// Returns the wait that a server requests, in a header or in the body.
    ///
    /// - Parameters:
    ///   - header: The value of `Retry-After`.
    ///   - date: The value of `Date`, by which a date in `Retry-After` is measured: the device's clock may be wrong.
    ///   - milliseconds: `retryAfterMs` of the body.
    ///   - now: The device's time, for an answer without a `Date`.
    /// - Returns: The longest of `Retry-After` (seconds, or a date) and `retryAfterMs`; nil without both.
    public static func wait(header: String?, date: String?, milliseconds: Int?, now: Date) -> Duration? {
        var waits: [Duration] = []
        if let milliseconds, milliseconds >= 0 { waits.append(.milliseconds(milliseconds)) }
        if let header = header?.trimmingCharacters(in: .whitespaces), !header.isEmpty {
            if header.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
                // More than a day is a day: a number of any size must not overflow.
                waits.append(.seconds(min(Int(header) ?? 86_400, 86_400)))
            } else if let until = httpDate(header) {
                let start = date.flatMap(httpDate) ?? now
                waits.append(.seconds(min(max(0, until.timeIntervalSince(start)), 86_400)))
            }
        }
        return waits.max()
    }

    /// Returns a date in one of the forms that HTTP has had, for instance `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110,
    /// 5.6.7).
    static func httpDate(_ text: String) -> Date? {
        let formatter = DateFormatter()
        (formatter.locale, formatter.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(secondsFromGMT: 0))
        // `asctime` fills the day with a space.
        let text = text.replacing("  ", with: " ")
        for form in ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"] {
            formatter.dateFormat = form
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}

/// The limited routes, with the end of each limit.
struct RateLimits {
    private var entries: [Transfer.Endpoint: (until: Duration, limit: Int?)] = [:]

    /// Notes that a route takes nothing until `until`; a limit that is known to last longer stays.
    mutating func note(_ endpoint: Transfer.Endpoint, until: Duration, limit: Int?) {
        entries[endpoint] = (max(until, entries[endpoint]?.until ?? until), limit ?? entries[endpoint]?.limit)
    }

    /// Returns the limit of a route; nil if it has ended or is missing.
    func state(of endpoint: Transfer.Endpoint, at now: Duration) -> RateLimitState? {
        guard let entry = entries[endpoint], entry.until > now else { return nil }
        return RateLimitState(endpoint: endpoint, remaining: entry.until - now, limit: entry.limit)
    }
}

/// A temporary refusal of requests by the server (S2-37): the app closes its shutter and counts down.
public struct RateLimitState: Sendable, Equatable {
    /// The route that is limited.
    public var endpoint: Transfer.Endpoint
    /// Time that is left.
    public var remaining: Duration
    /// Number of requests in the server's window; nil if it does not report it.
    public var limit: Int?
}
