import Foundation
import Synchronization

/// Server of HTTP/1.1; a proxy in front of it adds TLS.
///
/// A request whose framing is ambiguous is refused, and every wait for a client has an end.
public struct HTTPServer: Sendable {
    /// Limits that keep one client from harming others.
    public struct Limits: Sendable {
        /// Open connections, half of the 1,024 descriptors that a process usually has; others wait in the system's line
        /// until one is closed.
        public var connections = 500
        package var headerBytes = 32 << 10
        /// Time between two requests of a connection.
        public var idleTimeout = Duration.seconds(75)
        /// Time for a request's head, and for its body.
        public var bodyTimeout = Duration.seconds(30)
        /// Time after which a client that takes nothing of an answer is given up.
        public var writeTimeout = Duration.seconds(20)
        /// Time at shutdown after which open requests are cancelled.
        public var shutdownTimeout = Duration.seconds(10)

        /// Creates the usual limits.
        public init() {}
    }

    package var host: String
    /// 0 for any free one.
    public var port: Int
    /// Name in the answers' header.
    public var name: String
    package var limits: Limits
    let respond: @Sendable (Request) async -> Response

    /// Creates a server that does not run yet; `port` 0 is a free one.
    public init(
        host: String = "127.0.0.1",
        port: Int,
        name: String,
        limits: Limits = Limits(),
        respond: @escaping @Sendable (Request) async -> Response
    ) {
        (self.host, self.port, self.name, self.limits, self.respond) = (host, port, name, limits, respond)
    }

    /// Serves until shutdown, or until the task is cancelled; requests under way have some time to end.
    ///
    /// `onRunning` receives the port before the first request is answered.
    ///
    /// - Throws: `SocketError` when the address cannot be listened on.
    public func run(until shutdown: Shutdown, onRunning: (_ port: Int) async -> Void) async throws {
        // Writing to a client that is gone is an error, and no signal that ends the process.
        signal(SIGPIPE, SIG_IGN)
        let listener = try ListeningSocket(host: host, port: port)
        defer { close(listener.descriptor) }
        let poller = try Poller()
        defer { poller.end() }
        await onRunning(listener.port)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await accept(from: listener, poller, until: shutdown) }
            group.addTask {
                await shutdown.wait()
                poller.endIdleWaits()
                try? await Task.sleep(for: limits.shutdownTimeout)
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func accept(from listener: ListeningSocket, _ poller: Poller, until shutdown: Shutdown) async {
        let open = Count()
        await withDiscardingTaskGroup { group in
            do {
                while try await poller.wait(for: .input, of: listener.descriptor, isIdle: true) {
                    guard open.value.load(ordering: .relaxed) < limits.connections, let descriptor = listener.client()
                    else {
                        // The system has no descriptors left, or the client has gone already.
                        try await Task.sleep(for: .milliseconds(5))
                        continue
                    }
                    open.value.add(1, ordering: .relaxed)
                    group.addTask {
                        let socket = ClientSocket(descriptor: descriptor, poller: poller)
                        await HTTPConnection(socket, server: self, shutdown: shutdown).serve()
                        open.value.subtract(1, ordering: .relaxed)
                    }
                }
            } catch { group.cancelAll() }
        }
    }

    private final class Count: Sendable {
        let value = Atomic(0)
    }
}
