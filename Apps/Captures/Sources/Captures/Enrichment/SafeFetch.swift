import Basics
import Foundation
import Talaria

/// Fetcher of untrusted addresses, within bounds.
///
/// http and https alone; no private address, be it by name, by redirection or by a name that resolves differently the
/// second time: the connection goes to the very address that was checked. No cookies, no credentials, no scripts.
/// Every request is noted.
struct SafeFetch: Sendable {
    /// Redirections that browsers and curl follow: Fetch Standard, 4.4 ("HTTP-redirect fetch").
    private static let redirects = 20

    /// Whether addresses of this machine and of private networks may be asked: for a service that its user runs there.
    var allowsPrivate = false
    /// Bytes after which an answer is cut.
    var bytes = 2 << 20
    var hosts = HostPolicy()
    var onTransfer: @Sendable (Transfer) -> Void

    struct Answer: Sendable {
        /// Address of the answer, after redirections.
        var url: URL
        var status: Int
        var contentType: String?
        /// "Content-Encoding" as the server sent it.
        var coding: String?
        /// "Refresh": a wait in seconds, and an address to go to after it.
        var refresh: String?
        var body: [UInt8]
        var isCut: Bool
        /// Wait that the server asks for.
        var wait: Duration?
    }

    /// Fetches an address; further headers go to the first server alone.
    ///
    /// `forward`: returns where a successful answer itself leads, which is followed like a redirection.
    func get(
        _ url: URL,
        endpoint: Transfer.Endpoint = .link,
        contentClass: Transfer.ContentClass = .text,
        headers: [(name: String, value: String)] = [],
        forward: (Answer) -> URL? = { _ in nil }
    ) async throws -> Answer {
        var url = url
        var headers = headers
        for count in 0...Self.redirects {
            let (answer, location) = try await once(url, endpoint, contentClass, headers, isLed: count > 0)
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
        throw EnrichmentError.refused("\(host(url)): more than \(Self.redirects) redirections")
    }

    /// Sends a body to a service that the user configured; a redirection of it is not followed.
    func post(
        _ url: URL,
        _ body: [UInt8],
        type: String,
        endpoint: Transfer.Endpoint,
        contentClass: Transfer.ContentClass,
        headers: [(name: String, value: String)]
    ) async throws -> Answer {
        try await once(url, endpoint, contentClass, headers + [("Content-Type", type)], body: body).answer
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
        body: [UInt8]? = nil,
        isLed: Bool = false
    ) async throws -> (answer: Answer, location: String?) {
        let origin = self.origin(url)
        while !hosts.enter(origin) { try await Task.sleep(for: .milliseconds(20)) }
        defer { hosts.leave(origin) }
        if let wait = hosts.wait(for: origin) {
            let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
            let reason = "\(host(url)) failed or requested a delay; it is retried after \(seconds) s"
            throw EnrichmentError.postponed(reason, wait: wait)
        }
        // A refusal by rule, or an unknown name, does not count as a server failure.
        let rule = allowsPrivate ? isLed ? NetworkAddress.Rule.mayLeadToPrivate : .mayBePrivate : .open
        let transport = try await NetworkAddress.transport(to: url, by: rule)
        var request = TransportRequest(method: body == nil ? .get : .post, url: url, body: body)
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
                        body += piece.prefix(bytes - body.count)
                        if body.count >= bytes { break }
                    }
                }
                var answer = Answer(url: url, status: response.status, body: body, isCut: body.count >= bytes)
                answer.contentType = response.header("content-type")
                (answer.coding, answer.refresh) = (coding, response.header("refresh"))
                return (answer, response)
            }
            answer.wait = hosts.note(response, of: origin, at: start)
            return (answer, response.header("location"))
        } catch {
            hosts.noteFailure(of: origin)
            switch error {
            case TalariaError.unreachable(let host, let reason): throw EnrichmentError.busy("\(host): \(reason)")
            case TalariaError.timedOut: throw EnrichmentError.busy("\(error)")
            case is CancellationError: throw error
            default: throw EnrichmentError.refused("\(error)")
            }
        }
    }
}

package enum EnrichmentError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The server cannot answer now; another try may have more luck after a while.
    case busy(String, wait: Duration? = nil)
    /// Another try would end the same way.
    case refused(String)
    /// Not asked, but may be later.
    case postponed(String, wait: Duration? = nil)
    case configuration(String)

    package var description: String {
        switch self {
        case .busy(let text, _), .refused(let text), .postponed(let text, _), .configuration(let text): text
        }
    }
}
