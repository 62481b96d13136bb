import Foundation

/// Connection to a server on the loopback address, whose bytes a test writes itself.
public final class RawConnection: Sendable {
    private let descriptor: CInt

    /// - Throws: `POSIXError` when there is no listener.
    public init(port: Int) throws {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(descriptor) }

    /// Sends all of a text; false when the server has closed.
    @discardableResult public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends all bytes; false when the server has closed.
    @discardableResult public func send(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
        let flags: CInt = 0
        #else
        let flags = CInt(MSG_NOSIGNAL)
        #endif
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return false }
            start += count
        }
        return true
    }

    /// Hangs up.
    public func end() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// Returns the received text until it contains `mark`, or until the server has closed.
    public func text(until mark: String? = nil) async -> String {
        await onThread { String(decoding: $0.receive(until: mark.map { Array($0.utf8) }), as: UTF8.self) }
    }

    /// Waits until the server has closed, without reading anything.
    public func untilClosed() async {
        await onThread { connection in
            var poll = pollfd(fd: connection.descriptor, events: 0, revents: 0)
            while poll.revents & Int16(POLLHUP | POLLERR) == 0 { Foundation.poll(&poll, 1, 1_000) }
        }
    }

    /// Returns the received bytes until they contain `mark`, or until the server has closed; blocks the thread.
    func receive(until mark: [UInt8]? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while mark.map({ bytes.firstRange(of: $0) == nil }) ?? true {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }

    /// Works on a thread of its own: tests that block would keep others waiting.
    func onThread<Result: Sendable>(_ work: @escaping @Sendable (RawConnection) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in continuation.resume(returning: work(self)) }
        }
    }
}
