#if os(Linux)
internal import CCurl
import Foundation
import Synchronization

typealias NetworkSession = CurlSession

/// Connections of one transport, all on a thread of its own: libcurl's multi interface.
///
/// `@unchecked`: the queue is a mutex, `curl_multi_wakeup` may be called from any thread while the queue is not
/// stopped, and everything else belongs to the thread.
final class CurlSession: @unchecked Sendable {
    private struct Queue {
        var commands: [@Sendable () -> Void] = []
        var isStopped = false
    }

    let configuration: NetworkTransport.Configuration
    private let multi: UnsafeMutableRawPointer
    private let queue = Mutex(Queue())
    private var exchanges: [UnsafeMutableRawPointer: CurlExchange] = [:]
    private var sockets: Set<Int32> = []

    /// Held while libcurl works.
    private static let atWork = NSLock()
    /// Why libcurl cannot be used, which is to be asked before anything else; nil when it is ready.
    private static let problem: String? = {
        // The program of a wheel is not linked to it.
        guard dlopen("libcurl.so.4", RTLD_NOW | RTLD_GLOBAL) != nil else {
            return "\(String(cString: dlerror())); install it (in Debian and Ubuntu libcurl4)"
        }
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return "libcurl cannot be started" }
        // OpenSSL frees its memory when the process ends; a thread that used it then would crash.
        atexit { CurlSession.atWork.lock() }
        return nil
    }()

    init(_ configuration: NetworkTransport.Configuration) throws(TalariaError) {
        let problem = Self.problem
        guard problem == nil, let multi = curl_multi_init() else {
            throw .badConfiguration(problem ?? "libcurl cannot be started")
        }
        (self.configuration, self.multi) = (configuration, multi)
        spine_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 16)
        let thread = Thread { self.run() }
        thread.name = "http"
        thread.start()
    }

    /// Ends the thread, which closes the connections.
    func stop() {
        queue.withLock { queue in
            queue.isStopped = true
            curl_multi_wakeup(multi)
        }
    }

    /// Sends a request, and returns when the head of the answer has arrived; `owner` is kept until the body is released.
    func send(
        _ request: TransportRequest,
        meter: TransferMeter,
        keeping owner: NetworkTransport
    ) async throws -> TransportResponse {
        let exchange = CurlExchange(request, meter: meter, session: self)
        submit { self.begin(exchange) }
        let head = try await withTaskCancellationHandler {
            try await exchange.arrival.head()
        } onCancel: {
            exchange.cancel()
        }
        let body = Body(exchange: exchange, owner: owner)
        let bytes = ByteStream(unfolding: { try await body.exchange.bytes() })
        return TransportResponse(status: head.status, headers: head.headers, body: bytes)
    }

    /// A body that is read; its release closes a connection that is not at its end.
    private final class Body: Sendable {
        let exchange: CurlExchange
        private let owner: NetworkTransport

        init(exchange: CurlExchange, owner: NetworkTransport) { (self.exchange, self.owner) = (exchange, owner) }

        deinit { exchange.cancel() }
    }

    /// Has the thread do something; once it was stopped, nothing is left to be done.
    func submit(_ command: @escaping @Sendable () -> Void) {
        queue.withLock { queue in
            guard !queue.isStopped else { return }
            queue.commands.append(command)
            curl_multi_wakeup(multi)
        }
    }

    // MARK: - On the thread

    private func run() {
        // A write to a connection that is closed would end the process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while let commands = nextCommands() {
            Self.atWork.withLock { work(commands) }
            curl_multi_poll(multi, nil, 0, 60_000, nil)
        }
        Self.atWork.withLock {
            for exchange in exchanges.values {
                end(exchange, .failure(TalariaError.unreachable(host: exchange.host, reason: NetworkTransport.lost)))
            }
            curl_multi_cleanup(multi)
        }
    }

    private func work(_ commands: [@Sendable () -> Void]) {
        for command in commands { command() }
        var (running, left): (Int32, Int32) = (0, 0)
        curl_multi_perform(multi, &running)
        while let message = curl_multi_info_read(multi, &left)?.pointee {
            guard message.msg == CURLMSG_DONE, let easy = message.easy_handle, let exchange = exchanges[easy]
            else { continue }
            end(exchange, exchange.result(of: message.data.result))
        }
    }

    /// Returns what there is to do; nil at the end.
    private func nextCommands() -> [@Sendable () -> Void]? {
        queue.withLock { queue in
            defer { queue.commands = [] }
            return queue.isStopped ? nil : queue.commands
        }
    }

    private func begin(_ exchange: CurlExchange) {
        do {
            let easy = try exchange.prepare()
            exchanges[easy] = exchange
            curl_multi_add_handle(multi, easy)
        } catch {
            exchange.arrival.finish(.failure(error))
        }
    }

    /// Ends an exchange, unless it has ended: counts its bytes, and closes its connection if it is not complete.
    func end(_ exchange: CurlExchange, _ result: Result<Void, any Error>) {
        guard let easy = exchange.easy, exchanges.removeValue(forKey: easy) != nil else { return }
        exchange.detach()
        curl_multi_remove_handle(multi, easy)
        exchange.release()
        exchange.arrival.finish(result)
    }

    /// Counts a connection's bytes for an exchange, from here on.
    ///
    /// - Returns: Whether the exchange may use the connection.
    func connected(_ exchange: CurlExchange, address: UnsafePointer<CChar>, port: Int32) -> Bool {
        guard let socket = sockets.first(where: { spine_socket_is_at($0, address, port) != 0 }) else { return false }
        detachAll(from: socket)
        return exchange.attach(to: socket)
    }

    func open(_ address: curl_sockaddr) -> Int32 {
        let descriptor = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
        if descriptor >= 0 { sockets.insert(descriptor) }
        return descriptor
    }

    func close(_ descriptor: Int32) -> Int32 {
        detachAll(from: descriptor)
        sockets.remove(descriptor)
        return Glibc.close(descriptor)
    }

    private func detachAll(from socket: Int32) {
        for exchange in exchanges.values where exchange.socket == socket { exchange.detach() }
    }
}
#endif
