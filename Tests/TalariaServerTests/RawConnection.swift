import Foundation
import ServerSupport
import Testing

@testable import TalariaServer

/// A connection whose bytes a test writes itself.
final class RawConnection: Sendable {
    private let descriptor: CInt

    /// - Parameter port: on the loopback address.
    /// - Throws: when there is no listener.
    init(port: Int) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    convenience init(_ client: ServerClient) throws { try self.init(port: #require(client.client.port)) }

    deinit { close(descriptor) }

    /// - Returns: whether all of it was sent; not when the server has closed.
    @discardableResult func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            start += count
        }
        return true
    }

    /// Hangs up.
    func end() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// Returns the received bytes until they contain the text, or until the server has closed.
    func text(until mark: String? = nil) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var bytes: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = recv(descriptor, &piece, piece.count, 0)
                    guard count > 0 else { break }
                    bytes += piece[..<count]
                    if let mark, String(decoding: bytes, as: UTF8.self).contains(mark) { break }
                }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    /// Waits until the server has closed, without reading anything.
    func untilClosed() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread { [self] in
                var poll = pollfd(fd: descriptor, events: 0, revents: 0)
                while poll.revents & Int16(POLLHUP | POLLERR) == 0 { Foundation.poll(&poll, 1, 1_000) }
                continuation.resume()
            }
        }
    }
}

/// Waits, in small steps, for the effect of other threads; the suite's time limit ends a wait that never succeeds.
func until(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
}
