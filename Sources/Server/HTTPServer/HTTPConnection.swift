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
    private let address: String
    private let server: HTTPServer
    private let shutdown: Shutdown
    private var buffer: [UInt8] = []
    private var part = Part.end
    private var owesContinue = false
    private var bodyStart: ContinuousClock.Instant?
    /// Bytes of the body that have arrived.
    private(set) var received = 0

    init(_ socket: ClientSocket, address: String, server: HTTPServer, shutdown: Shutdown) {
        (self.socket, self.address, self.server, self.shutdown) = (socket, address, server, shutdown)
    }

    /// Answers the client's requests, and closes the connection.
    func serve() async {
        do {
            while let head = try await head() {
                let request = Request(head, id: UUID().uuidString.lowercased(), from: address, self)
                let response = await server.respond(request)
                guard try await answer(head, response) else { break }
            }
        } catch let error as HeadError {
            let refusal =
                "HTTP/1.1 \(error.status.code) \(error.status.reasonPhrase)\r\n"
                + "Connection: close\r\nContent-Length: 0\r\n\r\n"
            try? await socket.write(Array(refusal.utf8), timeout: limits.writeTimeout)
            try? await drain(for: Self.patience)
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

    /// Time for a client to take the end of its connection.
    private static let patience = Duration.seconds(2)

    private var limits: HTTPServer.Limits { server.limits }

    // MARK: - Reading

    /// Returns the head of the next request; nil when there is none.
    private func head() async throws -> RequestHead? {
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
            guard lines.count <= RequestHead.mostFields + 1 else { throw HeadError.tooLong }
        }
        let head = try RequestHead(lines)
        part = head.isChunked ? .chunkHead : .bytes(head.contentLength ?? 0, isChunk: false)
        if head.contentLength ?? 0 == 0, !head.isChunked { part = .end }
        (owesContinue, bodyStart, received) = (head.expectsContinue, nil, 0)
        return head
    }

    /// Returns the next line without its end.
    private func nextLine(within room: inout Int, until deadline: ContinuousClock.Instant) async throws -> [UInt8] {
        var searched = 0
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                let line = buffer[..<end]
                room -= end + 1
                guard room >= 0 else { throw HeadError.tooLong }
                guard line.last == 13 else { throw HeadError.malformed }
                buffer.removeFirst(end + 1)
                return Array(line.dropLast())
            }
            searched = buffer.count
            guard searched <= room else { throw HeadError.tooLong }
            try await fill(until: deadline)
        }
    }

    private func fill(until deadline: ContinuousClock.Instant) async throws {
        guard let bytes = try await socket.read(until: deadline) else { throw HeadError.timedOut }
        if bytes.isEmpty { throw HangUp() }
        buffer += bytes
    }

    /// Returns the next piece of the body; nil at its end.
    ///
    /// - Throws: ``BodyError``, ``HangUp``.
    func nextPiece() async throws -> [UInt8]? {
        do {
            return try await readPiece()
        } catch let error as HeadError {
            throw error == .timedOut ? BodyError.timedOut : .malformed
        }
    }

    private func readPiece() async throws -> [UInt8]? {
        if owesContinue {
            owesContinue = false
            try await socket.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), timeout: limits.writeTimeout)
        }
        let start = bodyStart ?? .now
        bodyStart = start
        let deadline = min(start + limits.bodyTimeout, .now + limits.bodyIdleTimeout)
        var room = limits.headerBytes
        if case .chunkHead = part {
            let line = try await nextLine(within: &room, until: deadline)
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
            guard (1...15).contains(digits.count), digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw HeadError.malformed }
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
            guard try await nextLine(within: &room, until: deadline).isEmpty else { throw HeadError.malformed }
        }
        return piece
    }

    /// Reads and discards what still comes, so that the client reads its answer before the connection ends.
    private func drain(for patience: Duration) async throws {
        Foundation.shutdown(socket.descriptor, CInt(SHUT_WR))
        let deadline = ContinuousClock.now + patience
        while let bytes = try await socket.read(until: deadline, isIdle: true), !bytes.isEmpty, .now < deadline {}
    }

    // MARK: - Writing

    /// Sends an answer; false when it is the last one.
    private func answer(_ head: RequestHead, _ response: Response) async throws -> Bool {
        var fields = response.headers
        let hasBody = response.status.kind != .informational && ![204, 304].contains(response.status.code)
        var (isStream, bytes) = (false, [UInt8]())
        switch response.body {
        case .bytes(let body):
            if hasBody { fields[.contentLength] = "\(body.count)" }
            bytes = body
        case .stream:
            isStream = true
            if !head.isOld { fields[.transferEncoding] = "chunked" }
        }
        let isAbandoned = !isSoonRead || response.status == .requestTimeout
        let isLast = isAbandoned || !head.keepsAlive || shutdown.hasBegun || isStream && head.isOld
        if isLast { fields[.connection] = "close" } else if head.isOld { fields[.connection] = "keep-alive" }
        fields[.server] = server.name
        fields[.date] = Self.date()
        var text = "HTTP/1.\(head.isOld ? 0 : 1) \(response.status.code) \(response.status.reasonPhrase)\r\n"
        for field in fields { text += "\(field.name.rawName): \(field.value)\r\n" }
        let sent = hasBody && head.method != .head
        try await socket.write(Array("\(text)\r\n".utf8) + (sent ? bytes : []), timeout: limits.writeTimeout)
        if sent, case .stream(let write) = response.body { try await stream(write, isChunked: !head.isOld) }
        if isLast {
            let isHopeless = !isAbandoned || [.contentTooLarge, .requestTimeout].contains(response.status)
            try await drain(for: isHopeless ? min(Self.patience, limits.bodyTimeout) : limits.bodyTimeout)
        } else {
            while try await nextPiece() != nil {}
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

    private func stream(
        _ write: @escaping @Sendable (ResponseWriter) async throws -> Void,
        isChunked: Bool
    ) async throws {
        let (socket, timeout) = (socket, limits.writeTimeout)
        try await whileConnected {
            try await write(
                ResponseWriter { bytes in
                    let framed =
                        isChunked
                        ? Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8) : bytes
                    try await socket.write(framed, timeout: timeout)
                }
            )
        }
        if isChunked { try await socket.write(Array("0\r\n\r\n".utf8), timeout: timeout) }
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
