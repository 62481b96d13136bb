import Foundation
import HTTPTypes

/// Connection of one client: requests are read and answered one after the other.
actor HTTPConnection {
    /// Part of a body that is to be read next.
    private enum Part {
        /// Bytes of known number, of the whole body or of a chunk.
        case bytes(Int, isChunk: Bool)
        case chunkHead
        case end
    }

    private let socket: ClientSocket
    private let server: HTTPServer
    private let shutdown: Shutdown
    private var buffer: [UInt8] = []
    private var part = Part.end
    private var owesContinue = false
    private var bodyDeadline: ContinuousClock.Instant?
    /// Bytes of the body that have arrived.
    private(set) var received = 0

    init(_ socket: ClientSocket, server: HTTPServer, shutdown: Shutdown) {
        (self.socket, self.server, self.shutdown) = (socket, server, shutdown)
    }

    /// Answers the client's requests, and closes the connection.
    func serve() async {
        do {
            while let request = try await request() {
                guard try await answer(request, await server.respond(request)) else { break }
            }
        } catch let error as RequestError {
            let status: HTTPResponse.Status =
                switch error {
                case .malformed: .badRequest
                case .tooLong: .requestHeaderFieldsTooLarge
                case .timedOut: .requestTimeout
                }
            let refusal = "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            try? await socket.write(Array(refusal.utf8), timeout: limits.writeTimeout)
            try? await drain()
        } catch {}
        // The thread that waits may still hold the socket, which would stay open.
        Foundation.shutdown(socket.descriptor, CInt(SHUT_RDWR))
        close(socket.descriptor)
    }

    nonisolated func whileConnected<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { [socket] group in
            group.addTask { try await work() }
            group.addTask {
                _ = try await socket.poller.wait(for: .hangUp, of: socket.descriptor)
                return nil
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() ?? nil else { throw HangUp() }
            return result
        }
    }

    private var limits: HTTPServer.Limits { server.limits }

    // MARK: - Reading

    /// Returns the next request; nil when there is none.
    private func request() async throws -> Request? {
        while buffer.isEmpty {
            guard let bytes = try await socket.read(until: .now + limits.idleTimeout, isIdle: true), !bytes.isEmpty
            else {
                return nil
            }
            buffer = bytes
        }
        let deadline = ContinuousClock.now + limits.bodyTimeout
        var (room, lines) = (limits.headerBytes, [[UInt8]]())
        while true {
            let line = try await nextLine(within: &room, until: deadline)
            if !line.isEmpty { lines.append(line) } else if !lines.isEmpty { break }
        }
        let request = try Request(lines, on: self)
        let length = request.body.announced ?? 0
        part = request.isChunked ? .chunkHead : length > 0 ? .bytes(length, isChunk: false) : .end
        (owesContinue, bodyDeadline, received) = (request.expectsContinue, nil, 0)
        return request
    }

    /// Returns the next line without its end.
    private func nextLine(within room: inout Int, until deadline: ContinuousClock.Instant) async throws -> [UInt8] {
        var searched = 0
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                let line = buffer[..<end]
                room -= end + 1
                guard room >= 0 else { throw RequestError.tooLong }
                guard line.last == 13 else { throw RequestError.malformed }
                buffer.removeFirst(end + 1)
                return Array(line.dropLast())
            }
            searched = buffer.count
            guard searched <= room else { throw RequestError.tooLong }
            try await fill(until: deadline)
        }
    }

    private func fill(until deadline: ContinuousClock.Instant) async throws {
        guard let bytes = try await socket.read(until: deadline) else { throw RequestError.timedOut }
        if bytes.isEmpty { throw HangUp() }
        buffer += bytes
    }

    /// Returns the next piece of the body; nil at its end.
    ///
    /// - Throws: ``RequestError``, ``HangUp``.
    func nextPiece() async throws -> [UInt8]? {
        if owesContinue {
            owesContinue = false
            try await socket.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), timeout: limits.writeTimeout)
        }
        let deadline = bodyDeadline ?? .now + limits.bodyTimeout
        bodyDeadline = deadline
        var room = limits.headerBytes
        if case .chunkHead = part {
            let line = try await nextLine(within: &room, until: deadline)
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            guard (1...15).contains(digits.count), digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw RequestError.malformed }
            part = .bytes(size, isChunk: true)
            if size == 0 {
                // Fields behind the body are of no use here.
                while try await !nextLine(within: &room, until: deadline).isEmpty {}
                part = .end
            }
        }
        guard case .bytes(let rest, let isChunk) = part else { return nil }
        if buffer.isEmpty { try await fill(until: deadline) }
        let piece = buffer.count <= rest ? buffer : Array(buffer[..<rest])
        buffer.removeFirst(piece.count)
        received += piece.count
        part = piece.count < rest ? .bytes(rest - piece.count, isChunk: isChunk) : isChunk ? .chunkHead : .end
        if isChunk, piece.count == rest {
            guard try await nextLine(within: &room, until: deadline).isEmpty else { throw RequestError.malformed }
        }
        return piece
    }

    /// Reads and discards what still comes, so that the client reads its answer before the connection ends.
    private func drain() async throws {
        Foundation.shutdown(socket.descriptor, CInt(SHUT_WR))
        let deadline = ContinuousClock.now + .seconds(2)
        while let bytes = try await socket.read(until: deadline, isIdle: true), !bytes.isEmpty, .now < deadline {}
    }

    // MARK: - Writing

    /// Sends an answer; false when it is the last one.
    private func answer(_ request: Request, _ response: Response) async throws -> Bool {
        var fields = response.headers
        let hasBody = ![.noContent, .notModified].contains(response.status)
        var bytes: [UInt8] = []
        switch response.body {
        case .bytes(let body):
            if hasBody { fields[.contentLength] = "\(body.count)" }
            bytes = body
        case .stream: fields[.transferEncoding] = "chunked"
        }
        let isLast = !isSoonRead || response.status == .requestTimeout || !request.keepsAlive || shutdown.hasBegun
        if isLast { fields[.connection] = "close" }
        fields[.server] = server.name
        fields[.date] = Self.date()
        var text = "HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)\r\n"
        for field in fields { text += "\(field.name.rawName): \(field.value)\r\n" }
        let sent = hasBody && request.method != .head
        try await socket.write(Array("\(text)\r\n".utf8) + (sent ? bytes : []), timeout: limits.writeTimeout)
        if sent, case .stream(let write) = response.body { try await stream(write) }
        if isLast {
            try await drain()
        } else {
            do { while try await nextPiece() != nil {} } catch is RequestError { return false }
        }
        return !isLast
    }

    /// Whether the rest of the body is so short that reading it costs less than a new connection.
    private var isSoonRead: Bool {
        switch part {
        case .end: true
        case .bytes(let rest, isChunk: false): rest <= 256 << 10 && !owesContinue
        case .bytes, .chunkHead: false
        }
    }

    private func stream(_ write: @escaping @Sendable (ResponseWriter) async throws -> Void) async throws {
        let (socket, timeout) = (socket, limits.writeTimeout)
        try await whileConnected {
            try await write(
                ResponseWriter { bytes in
                    let size = Array("\(String(bytes.count, radix: 16))\r\n".utf8)
                    try await socket.write(size + bytes + Array("\r\n".utf8), timeout: timeout)
                }
            )
        }
        try await socket.write(Array("0\r\n\r\n".utf8), timeout: timeout)
    }

    /// Returns the time as in RFC 9110, section 5.6.7.
    private static func date() -> String {
        var (seconds, parts) = (time(nil), tm())
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
