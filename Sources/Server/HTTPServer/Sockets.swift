import Foundation

/// Error of the system about a socket.
public struct SocketError: Error, Sendable, CustomStringConvertible {
    /// The system's number; nil when a host name has no address.
    public let number: CInt?

    init(_ number: CInt?) { self.number = number }

    /// Text for messages.
    public var description: String { number.map { String(cString: strerror($0)) } ?? "no such host" }
}

/// Socket that listens on an address.
struct ListeningSocket: Sendable {
    let descriptor: CInt
    let port: Int

    /// - Throws: `SocketError` when the host is unknown, or its port cannot be listened on.
    init(host: String, port: Int) throws(SocketError) {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        #if canImport(Darwin)
        hints.ai_socktype = SOCK_STREAM
        #else
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let address = found?.pointee else {
            throw SocketError(nil)
        }
        defer { freeaddrinfo(found) }
        descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        guard descriptor >= 0 else { throw SocketError(errno) }
        Self.prepare(descriptor)
        Self.set(SO_REUSEADDR, of: descriptor, level: SOL_SOCKET)
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, SOMAXCONN) == 0 else {
            let number = errno
            close(descriptor)
            throw SocketError(number)
        }
        self.port = Self.port(of: descriptor) ?? port
    }

    private static func port(of descriptor: CInt) -> Int? {
        var (address, length) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
        return withUnsafeMutableBytes(of: &address) { bytes in
            let start = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            guard let start, getsockname(descriptor, start, &length) == 0 else { return nil }
            // The port is at the same place in the addresses of both versions of IP.
            return Int(UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    /// Returns the next connection's socket; nil when there is none, or none can be opened.
    func client() -> CInt? {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { return nil }
        Self.prepare(client)
        Self.set(TCP_NODELAY, of: client, level: CInt(IPPROTO_TCP))
        return client
    }

    /// Lets a descriptor neither block nor pass to other programs.
    static func prepare(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func set(_ option: CInt, of descriptor: CInt, level: CInt) {
        var on: CInt = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<CInt>.size))
    }
}

/// Socket of one client.
struct ClientSocket: Sendable {
    let descriptor: CInt
    let poller: Poller

    /// Returns the next bytes, none at the end of the client's data; nil when the deadline comes first, or when an idle
    /// wait ends.
    func read(until deadline: ContinuousClock.Instant, isIdle: Bool = false) async throws -> [UInt8]? {
        while true {
            var failure: CInt = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 32 << 10) { buffer, count in
                let received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                failure = received < 0 ? errno : 0
                count = max(0, received)
            }
            switch failure {
            case 0: return bytes
            case EINTR: continue
            case EAGAIN:
                guard try await poller.wait(for: .input, of: descriptor, until: deadline, isIdle: isIdle) else {
                    return nil
                }
            default: return []
            }
        }
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``HangUp`` when the client is gone, or takes nothing for as long as `timeout`.
    func write(_ bytes: [UInt8], timeout: Duration) async throws {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
            if count > 0 {
                start += count
            } else if errno == EAGAIN {
                guard try await poller.wait(for: .output, of: descriptor, until: .now + timeout) else { throw HangUp() }
            } else if errno != EINTR {
                throw HangUp()
            }
        }
    }
}

/// The client has hung up, or is given up.
public struct HangUp: Error, Sendable {}
