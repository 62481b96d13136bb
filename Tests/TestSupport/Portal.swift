import Foundation
import Synchronization

/// Server that answers every connection in the same way, as a captive portal does, for any request.
public final class Portal: Sendable {
    /// Address of the listener.
    public let address: String
    private let socket: Int32
    private let count = Mutex(0)

    /// Connections that were answered.
    public var answered: Int { count.withLock { $0 } }

    /// - Parameters:
    ///   - answer: the whole response, head and body; the connection is closed after it.
    ///   - scheme: of its address; a response to `https` is not a handshake unless `answer` is one.
    /// - Throws: when there is no port.
    public convenience init(answering answer: String, scheme: String = "http") throws {
        try self.init(bytes: Array(answer.utf8), scheme: scheme)
    }

    package init(bytes answer: [UInt8], scheme: String) throws {
        #if canImport(Glibc) || canImport(Musl)
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                bind(socket, name, length) == 0 && listen(socket, 16) == 0 && getsockname(socket, name, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        self.socket = socket
        address = "\(scheme)://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
        Thread { [self] in serve(answer) }.start()
    }

    private func serve(_ answer: [UInt8]) {
        while true {
            let client = accept(socket, nil, nil)
            guard client >= 0 else { return }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            _ = read(client, &buffer, buffer.count)
            count.withLock { $0 += 1 }
            _ = answer.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            shutdown(client, Int32(SHUT_WR))
            // Pending bytes are read, so that the answer is not lost to a reset.
            while read(client, &buffer, buffer.count) > 0 {}
            close(client)
        }
    }

    /// Listens no longer.
    public func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }
}
