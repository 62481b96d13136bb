import Basics
package import Foundation
import Synchronization
package import Talaria

/// Fetcher of untrusted addresses, within bounds.
///
/// http and https alone; no private address, be it by name, by redirection or by a name that resolves differently the
/// second time: the connection goes to the very address that was checked. No cookies, no credentials, no scripts.
/// Every request is noted.
package struct SafeFetch: Sendable {
    package struct Limits: Sendable {
        package var bytes = 2 << 20
        /// Redirections that browsers and curl follow: Fetch Standard, 4.4 ("HTTP-redirect fetch").
        var redirects = 20
        /// Whether addresses of this machine and of private networks may be asked: for a service that its user runs
        /// there.
        package var allowsPrivate = false

        package init() {}
    }

    package struct Answer: Sendable {
        /// Address of the answer, after redirections.
        package var url: URL
        package var status: Int
        package var contentType: String?
        /// "Content-Encoding" as the server sent it.
        var coding: String?
        /// "Refresh": a wait in seconds, and an address to go to after it.
        var refresh: String?
        package var body: [UInt8]
        var isCut: Bool
        /// Wait that the server asks for.
        var wait: Duration?
    }

    package var limits: Limits
    package var onTransfer: @Sendable (Transfer) -> Void
    private let breakers = ServerBreakers()

    package init(limits: Limits = Limits(), onTransfer: @escaping @Sendable (Transfer) -> Void) {
        (self.limits, self.onTransfer) = (limits, onTransfer)
    }

    /// Fetches an address; further headers go to the first server alone.
    ///
    /// `forward`: returns where a successful answer itself leads, which is followed like a redirection.
    package func get(
        _ url: URL,
        endpoint: Transfer.Endpoint,
        contentClass: Transfer.ContentClass,
        headers: [(name: String, value: String)] = [],
        forward: (Answer) -> URL? = { _ in nil }
    ) async throws -> Answer {
        var url = url
        var headers = headers
        for _ in 0...limits.redirects {
            let (answer, location) = try await once(url, endpoint, contentClass, headers)
            let next: URL
            if [301, 302, 303, 307, 308].contains(answer.status), let location {
                // The URL Standard's parser ignores them (4.4).
                let plain = location.filter { !"\t\r\n".contains($0) }
                guard let address = URL(string: plain, relativeTo: url)?.absoluteURL else {
                    throw EnrichmentError.refused("\(host(url)) redirects to an invalid address")
                }
                next = address
            } else if (200..<300).contains(answer.status), let address = forward(answer) {
                next = address
            } else {
                return answer
            }
            if origin(next) != origin(url) { headers = [] }
            url = next
        }
        throw EnrichmentError.refused("\(host(url)): more than \(limits.redirects) redirections")
    }

    enum Content {
        /// Names and values, encoded as `application/x-www-form-urlencoded`.
        case form([(name: String, value: String)])
        case json([UInt8])
    }

    /// Sends something to a service that the user configured; a redirection of it is not followed.
    func post(
        _ url: URL,
        _ content: Content,
        endpoint: Transfer.Endpoint,
        contentClass: Transfer.ContentClass,
        headers: [(name: String, value: String)]
    ) async throws -> Answer {
        let body: [UInt8]
        let type: String
        switch content {
        case .form(let form):
            var components = URLComponents()
            components.queryItems = form.map { URLQueryItem(name: $0.name, value: $0.value) }
            (body, type) = (Array((components.percentEncodedQuery ?? "").utf8), "application/x-www-form-urlencoded")
        case .json(let bytes): (body, type) = (bytes, "application/json")
        }
        return try await once(url, endpoint, contentClass, headers + [("Content-Type", type)], body: body).answer
    }

    private func host(_ url: URL) -> String { url.host() ?? url.absoluteString }

    /// Returns scheme, host and port: a key is sent to no other one.
    private func origin(_ url: URL) -> String {
        let scheme = url.scheme?.lowercased() ?? ""
        return "\(scheme)://\(host(url).lowercased()):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }

    private func once(
        _ url: URL,
        _ endpoint: Transfer.Endpoint,
        _ contentClass: Transfer.ContentClass,
        _ headers: [(name: String, value: String)],
        body: [UInt8]? = nil
    ) async throws -> (answer: Answer, location: String?) {
        let origin = self.origin(url)
        while !breakers.enter(origin) { try await Task.sleep(for: .milliseconds(20)) }
        defer { breakers.leave(origin) }
        if let wait = breakers.wait(for: origin) {
            let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
            throw EnrichmentError.postponed(
                "\(host(url)) failed or requested a delay; it is retried after \(seconds) s"
            )
        }
        // A refusal by rule, or an unknown name, does not count as a server failure.
        let transport = try await NetworkAddress.transport(to: url, allowsPrivate: limits.allowsPrivate)
        var request = TransportRequest(
            method: body == nil ? .get : .post,
            url: url,
            body: body
        )
        request.headers = [
            ("Accept", "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.1"),
            ("Accept-Encoding", "gzip"), ("User-Agent", "SpineBench/1 (+reader; no scripts)"),
        ]
        request.headers += headers
        let start = Date()
        do {
            var (answer, response) = try await transport.exchange(
                request,
                endpoint,
                contentClass,
                onTransfer: onTransfer
            ) { response in
                var body: [UInt8] = []
                let coding = response.header("content-encoding")
                // Another one was not asked for, and the page is refused for it: libcurl would decode some of them.
                let isUnwanted = ["br", "zstd", "compress", "x-compress", "dcb", "dcz"].contains(coding?.lowercased())
                if !isUnwanted {
                    for try await piece in response.body {
                        body += piece.prefix(limits.bytes - body.count)
                        if body.count >= limits.bytes { break }
                    }
                }
                var answer = Answer(url: url, status: response.status, body: body, isCut: body.count >= limits.bytes)
                answer.contentType = response.header("content-type")
                (answer.coding, answer.refresh) = (coding, response.header("refresh"))
                return (answer, response)
            }
            answer.wait = breakers.note(response, of: origin, at: start)
            return (answer, response.header("location"))
        } catch {
            switch error {
            case TalariaError.unreachable(let host, let reason):
                breakers.noteFailure(of: origin)
                throw EnrichmentError.transient("\(host): \(reason)")
            // Its time was up, or it will fail the same way: it is not asked again at once.
            default:
                breakers.noteFailure(of: origin, attempts: Enricher.mostAttempts)
                if case TalariaError.timedOut = error { throw EnrichmentError.transient("\(error)") }
                throw error is CancellationError ? error : EnrichmentError.refused("\(error)")
            }
        }
    }
}

/// Circuit breakers of servers, one for each scheme, host and port, independent of each other, and the number of
/// requests that each is answering.
private final class ServerBreakers: Sendable {
    /// Requests to one server at a time.
    private static let mostAtOnce = 2
    private let running = Mutex<[String: Int]>([:])

    private let begin = ContinuousClock.now
    private let breakers = Mutex<[String: CircuitBreaker]>([:])

    /// Eight questions in a row that failed, each of which was tried as often as may be, or answered with 5xx once.
    private static let standard = CircuitBreaker(configuration: .init(failures: 8 * Enricher.mostAttempts))

    /// Counts a request to a server; false while it has as many as may be.
    func enter(_ origin: String) -> Bool {
        running.withLock { running in
            guard running[origin, default: 0] < Self.mostAtOnce else { return false }
            running[origin, default: 0] += 1
            return true
        }
    }

    func leave(_ origin: String) {
        running.withLock { $0[origin] = $0[origin].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }

    private var now: Duration { begin.duration(to: .now) }

    /// Returns the remaining wait for a server; nil when it may be asked.
    func wait(for origin: String) -> Duration? {
        breakers.withLock { $0[origin, default: Self.standard].permit(at: now) }
    }

    /// Records an answer: any 4xx counts as success; a busy server may specify a wait, which is returned.
    func note(_ response: TransportResponse, of origin: String, at date: Date) -> Duration? {
        let (header, sent) = (response.header("retry-after"), response.header("date"))
        let mayWait = response.status == 429 || response.status >= 500
        let wait = mayWait ? RetryAfter.wait(header: header, date: sent, milliseconds: nil, now: date) : nil
        if wait == nil, response.status >= 500 {
            noteFailure(of: origin, attempts: Enricher.mostAttempts)
            return nil
        }
        breakers.withLock { breakers in
            breakers[origin, default: Self.standard].succeeded()
            if let wait { breakers[origin, default: Self.standard].open(until: now + wait) }
        }
        return wait
    }

    func noteFailure(of origin: String, attempts: Int = 1) {
        breakers.withLock { breakers in
            for _ in 0..<attempts { breakers[origin, default: Self.standard].failed(at: now) }
        }
    }
}

package enum EnrichmentError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another try may have more luck.
    case transient(String)
    /// The server answered that it cannot answer now; another try may have more luck after a while.
    case busy(String, wait: Duration? = nil)
    /// Another try would end the same way.
    case refused(String)
    /// Not asked, but may be later.
    case postponed(String)
    case configuration(String)

    package var description: String {
        switch self {
        case .transient(let text), .busy(let text, _), .refused(let text), .postponed(let text),
            .configuration(let text):
            text
        }
    }
}
