import Foundation
import Synchronization
import Talaria

/// Rules of asking a host.
///
/// Two calls at once, none for a while after failures in a row, and none before the time that
/// it asked for. A call is not repeated: what needs it waits.
final class HostPolicy: Sendable {
    /// Calls to a host at a time.
    static let mostAtOnce = 2

    private struct Host {
        var running = 0
        var breaker: CircuitBreaker
    }

    private let hosts = Mutex<[String: Host]>([:])
    private let configuration: CircuitBreaker.Configuration
    private let begin = ContinuousClock.now

    /// Creates it with the failures in a row after which a host is left alone.
    init(failures: Int = 8, pause: Duration = .seconds(30)) {
        configuration = CircuitBreaker.Configuration(failures: failures, pause: pause)
    }

    /// Returns the seconds before another try, after a number of tries: a minute, five times longer each time, a day
    /// at most; nil after the eighth.
    static func pause(after tries: Int) -> TimeInterval? { tries < 8 ? min(60 * pow(5, Double(tries)), 86_400) : nil }

    private func change<Value>(_ name: String, _ body: (inout Host, Duration) -> Value) -> Value {
        hosts.withLock { hosts in
            body(
                &hosts[name, default: Host(breaker: CircuitBreaker(configuration: configuration))],
                begin.duration(to: .now)
            )
        }
    }

    /// Hosts that have as many calls as may be.
    var full: [String] { hosts.withLock { hosts in hosts.filter { $0.value.running >= Self.mostAtOnce }.map(\.key) } }

    /// Counts a call; false while the host has as many as may be.
    @discardableResult
    func enter(_ name: String) -> Bool {
        change(name) { host, _ in
            guard host.running < Self.mostAtOnce else { return false }
            host.running += 1
            return true
        }
    }

    func leave(_ name: String) { change(name) { host, _ in host.running -= 1 } }

    /// Returns the remaining wait for a host; nil when it may be asked.
    func wait(for name: String) -> Duration? { change(name) { host, now in host.breaker.permit(at: now) } }

    func noteFailure(of name: String) { change(name) { host, now in host.breaker.failed(at: now) } }

    /// Records an answer: any 4xx counts as success; a busy server may specify a wait, which is returned.
    func note(_ response: TransportResponse, of name: String, at date: Date) -> Duration? {
        let (header, sent) = (response.header("retry-after"), response.header("date"))
        let mayWait = response.status == 429 || response.status >= 500
        let wait = mayWait ? RetryAfter.wait(header: header, date: sent, milliseconds: nil, now: date) : nil
        change(name) { host, now in
            if wait == nil, response.status >= 500 { return host.breaker.failed(at: now) }
            host.breaker.succeeded()
            if let wait { host.breaker.open(until: now + wait) }
        }
        return wait
    }
}
