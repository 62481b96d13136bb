import Foundation
import NIOCore
import NIOPosix
import NIOSSL
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
        fileprivate let writer: NIOAsyncChannelOutboundWriter<ByteBuffer>
        fileprivate let server: LoopbackServer

        func raw(_ bytes: [UInt8]) async throws {
            server.log.withLock { $0.bytesSent += bytes.count }
            try await writer.write(ByteBuffer(bytes: bytes))
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
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let log = Mutex(Log())

    /// Received requests, in order.
    var requests: [Request] { log.withLock { $0.requests } }
    /// "GET /path" of each request, in order.
    var lines: [String] { requests.map { "\($0.method) \($0.path)" } }
    /// Bytes that came and went, as plain text.
    var bytes: (received: Int, sent: Int) { log.withLock { ($0.bytesReceived, $0.bytesSent) } }

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
        tls: NIOSSLContext? = nil,
        _ handler: @escaping Handler,
        test: @Sendable (URL, LoopbackServer) async throws -> Value
    ) async throws -> Value {
        let server = LoopbackServer()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { child in
                child.eventLoop.makeCompletedFuture {
                    if let tls { try child.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: child)
                }
            }
        let port = channel.channel.localAddress?.port ?? 0
        guard let url = URL(string: "\(tls == nil ? "http" : "https")://localhost:\(port)") else {
            throw CancellationError()
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await withThrowingDiscardingTaskGroup { connections in
                    try await channel.executeThenClose { clients in
                        for try await client in clients {
                            // A disconnecting client is the subject of many tests.
                            connections.addTask { try? await server.talk(to: client, handler) }
                        }
                    }
                }
            }
            defer { group.cancelAll() }
            return try await test(url, server)
        }
    }

    private func talk(to client: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ handler: Handler) async throws {
        try await client.executeThenClose { inbound, outbound in
            var iterator = inbound.makeAsyncIterator()
            var buffer: [UInt8] = []
            while let request = try await next(&iterator, &buffer) {
                log.withLock { $0.requests.append(request) }
                switch try await handler(request, Reply(writer: outbound, server: self)) {
                case .keep: continue
                case .close: return
                case .untilClientCloses:
                    while try await iterator.next() != nil {}
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
    }

    /// Reads a request with a body of known length.
    private func next(
        _ iterator: inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        _ buffer: inout [UInt8]
    ) async throws -> Request? {
        var end = buffer.endOfHead
        while end == nil {
            guard try await fill(&iterator, &buffer) else { return nil }
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
            guard try await fill(&iterator, &buffer) else { return nil }
        }
        request.body = Array(buffer.prefix(length))
        buffer.removeFirst(length)
        return request
    }

    private func fill(
        _ iterator: inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        _ buffer: inout [UInt8]
    ) async throws -> Bool {
        guard let more = try await iterator.next() else { return false }
        log.withLock { $0.bytesReceived += more.readableBytes }
        buffer += more.readableBytesView
        return true
    }
}

extension [UInt8] {
    /// End of the empty line after a request's headers.
    fileprivate var endOfHead: Int? {
        indices.dropFirst(3).first { self[($0 - 3)...$0].elementsEqual([13, 10, 13, 10]) }.map { $0 + 1 }
    }
}
