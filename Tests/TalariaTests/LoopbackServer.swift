import Foundation
import Synchronization

/// Server whose answers a test defines to the byte.
final class LoopbackServer: Sendable {
    /// Request of a client.
    struct Request: Sendable {
        var method: String
        var target: String
        var headers: [(name: String, value: String)]
        var body: [UInt8]

        /// The target without its query.
        var path: String { String(target.prefix { $0 != "?" }) }

        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// State of the connection after an answer.
    enum Next { case keep, close, untilClientCloses }

    typealias Handler = @Sendable (Request, Reply) async throws -> Next

    /// Writer of an answer.
    struct Reply: Sendable {
        fileprivate let socket: Int32
        fileprivate let server: LoopbackServer

        func raw(_ bytes: [UInt8]) async throws {
            server.log.withLock { $0.bytesSent += bytes.count }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
                rest = rest.dropFirst(count)
            }
        }

        func raw(_ text: String) async throws { try await raw(Array(text.utf8)) }

        /// Returns a whole answer.
        func answer(_ status: Int, _ body: String = "", _ headers: [String: String] = [:]) async throws -> Next {
            try await answer(status, Array(body.utf8), headers)
        }

        /// Returns a whole answer.
        func answer(_ status: Int, _ body: [UInt8], _ headers: [String: String] = [:]) async throws -> Next {
            var head = "HTTP/1.1 \(status) Status\r\n"
            if status != 204 { head += "Content-Length: \(body.count)\r\nContent-Type: application/json\r\n" }
            for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
            try await raw(Array("\(head)\r\n".utf8) + body)
            return .keep
        }

        /// Sends the head of a stream in chunks.
        func stream(type: String = "text/event-stream") async throws {
            try await raw("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
        }

        /// Sends a piece of a stream.
        func chunk(_ text: String) async throws {
            try await raw("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
        }

        /// Returns the end of a stream.
        func end() async throws -> Next {
            try await raw("0\r\n\r\n")
            return .keep
        }
    }

    private struct Log {
        var requests: [Request] = []
        var bytesReceived = 0
        var bytesSent = 0
        var closedByClient = 0
        var connections = 0
        /// Sockets that are open, and answers that are being made.
        var open: Set<Int32> = []
        var answers: [Task<Next, any Error>] = []
        var isStopped = false
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let log = Mutex(Log())

    /// Received requests, in order.
    var requests: [Request] { log.withLock { $0.requests } }
    /// "GET /path" of each request, in order.
    var lines: [String] { requests.map { "\($0.method) \($0.path)" } }
    /// Bytes that came and went, as plain text.
    var bytes: (received: Int, sent: Int) { log.withLock { ($0.bytesReceived, $0.bytesSent) } }

    /// Number of connections that were made.
    var connections: Int { log.withLock { $0.connections } }

    /// Number of connections that the client has closed while they were held open for it.
    var closedByClient: Int { log.withLock { $0.closedByClient } }

    /// Waits until the client has closed a connection that was held open for it.
    func clientClosed() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isClosed = log.withLock { log in
                if log.closedByClient > 0 { return true }
                log.watchers.append(continuation)
                return false
            }
            if isClosed { continuation.resume() }
        }
    }

    /// Serves for as long as a test lasts.
    static func serve<Value: Sendable>(
        _ handler: @escaping Handler,
        test: @Sendable (URL, LoopbackServer) async throws -> Value
    ) async throws -> Value {
        let server = LoopbackServer()
        let listener = try Self.listen()
        Thread.detachNewThread {
            while case let client = accept(listener.socket, nil, nil), client >= 0 {
                Thread.detachNewThread { server.serve(client, handler) }
            }
            close(listener.socket)
        }
        defer {
            shutdown(listener.socket, Int32(SHUT_RDWR))
            server.stop()
        }
        guard let url = URL(string: "http://localhost:\(listener.port)") else { throw CancellationError() }
        return try await test(url, server)
    }

    private static func listen() throws -> (socket: Int32, port: UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        (address.sin_family, address.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(0x7F00_0001).bigEndian)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && Glibc.listen(listener, 64) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    private func stop() {
        log.withLock { log in
            log.isStopped = true
            for answer in log.answers { answer.cancel() }
            for socket in log.open { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Answers the requests of a connection, on its thread.
    private func serve(_ client: Int32, _ handler: @escaping Handler) {
        let isLate = log.withLock { log in
            log.open.insert(client)
            log.connections += 1
            return log.isStopped
        }
        // A disconnecting client is the subject of many tests.
        if !isLate { try? talk(to: client, handler) }
        log.withLock { _ = $0.open.remove(client) }
        close(client)
    }

    private func talk(to client: Int32, _ handler: @escaping Handler) throws {
        var buffer: [UInt8] = []
        while let request = next(client, &buffer) {
            log.withLock { $0.requests.append(request) }
            let done = DispatchSemaphore(value: 0)
            let result = Mutex<Result<Next, any Error>?>(nil)
            let answer = Task { try await handler(request, Reply(socket: client, server: self)) }
            log.withLock { $0.answers.append(answer) }
            Task {
                let end = await answer.result
                result.withLock { $0 = end }
                done.signal()
            }
            done.wait()
            switch try result.withLock({ $0 })?.get() {
            case .keep: continue
            case .close, nil: return
            case .untilClientCloses:
                while fill(client, &buffer) {}
                let watchers = log.withLock { log in
                    log.closedByClient += 1
                    defer { log.watchers = [] }
                    return log.watchers
                }
                for watcher in watchers { watcher.resume() }
                return
            }
        }
    }

    /// Reads a request with a body of known length.
    private func next(_ client: Int32, _ buffer: inout [UInt8]) -> Request? {
        var end = buffer.endOfHead
        while end == nil {
            guard fill(client, &buffer) else { return nil }
            end = buffer.endOfHead
        }
        guard let end else { return nil }
        let lines = String(decoding: buffer[..<(end - 4)], as: UTF8.self).components(separatedBy: "\r\n")
        buffer.removeSubrange(..<end)
        let words = lines[0].split(separator: " ").map(String.init)
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return (name: parts[0], value: parts.count > 1 ? parts[1] : "")
        }
        var request = Request(method: words[0], target: words[1], headers: headers, body: [])
        let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
        while buffer.count < length {
            guard fill(client, &buffer) else { return nil }
        }
        request.body = Array(buffer.prefix(length))
        buffer.removeFirst(length)
        return request
    }

    private func fill(_ client: Int32, _ buffer: inout [UInt8]) -> Bool {
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = recv(client, &room, room.count, 0)
        guard count > 0 else { return false }
        log.withLock { $0.bytesReceived += count }
        buffer += room[..<count]
        return true
    }
}

extension [UInt8] {
    /// End of the empty line after a request's headers.
    fileprivate var endOfHead: Int? {
        indices.dropFirst(3).first { self[($0 - 3)...$0].elementsEqual([13, 10, 13, 10]) }.map { $0 + 1 }
    }
}
