import Foundation

/// Carries requests over the system's network: HTTP/1.1, TLS 1.2 or later with pins, and every byte counted.
///
/// It asks the named server and no other: it follows no redirect, uses no proxy of the environment, keeps no cookies and
/// repeats no request. It adds no header but `Host` and the length of the body, and decompresses an answer that
/// is labelled as gzip or deflate, which a request has to accept by a header of its own. A connection carries one
/// request at a time, and stays open for the next one until the transport is released; 16 are open to a host at most.
///
/// libcurl carries the requests on Linux, URLSession on Apple's systems, which may use HTTP/2 and decides itself about
/// the number of connections and compression.
public final class NetworkTransport: HTTPTransport {
    /// Configuration of the transport.
    public struct Configuration: Sendable, Equatable {
        /// Accepted keys of the server; empty for any key certified by a trusted authority.
        public var pins: [CertificatePin] = []
        /// Certificates that are trusted instead of the system's, PEM; empty for the system's.
        public var trustedRoots: [String] = []
        /// Addresses of hosts that are used without a name query, such as ones that were resolved and checked before;
        /// on Linux only.
        public var addresses: [String: String] = [:]
        /// Longest time for a connection to be made; on Linux only.
        public var connectTimeout = Duration.seconds(10)

        /// Creates a configuration that trusts the system's authorities by default.
        public init(pins: [CertificatePin] = [], trustedRoots: [String] = []) {
            (self.pins, self.trustedRoots) = (pins, trustedRoots)
        }
    }

    private let configuration: Configuration
    private let session: NetworkSession

    /// Creates a transport, whose connections are open until it and the answers' bodies are released.
    ///
    /// - Throws: `TalariaError.badConfiguration` for a root that is not a certificate.
    public init(_ configuration: Configuration = Configuration()) throws(TalariaError) {
        guard configuration.trustedRoots.allSatisfy({ Certificate.all(inPEM: $0) != nil }) else {
            throw .badConfiguration("a trusted root is not a PEM certificate")
        }
        self.configuration = configuration
        session = try NetworkSession(configuration)
    }

    deinit { session.stop() }

    /// Sends a request; see the protocol.
    public func send(_ request: TransportRequest, meter: TransferMeter) async throws -> TransportResponse {
        let url = request.url
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host()?.isEmpty == false,
            url.user() == nil, (0...65_535).contains(url.port ?? 0)
        else {
            throw TalariaError.badConfiguration(
                "invalid address \(url): expected http:// or https://, a host without a user name, and a port up to 65535"
            )
        }
        guard configuration.pins.isEmpty || scheme == "https" else {
            throw TalariaError.badConfiguration("keys are pinned, but \(url) is not encrypted; use https")
        }
        // A line break would begin another header.
        for (name, value) in request.headers where "\(name)\(value)".utf8.contains(where: { [0, 10, 13].contains($0) })
        {
            throw TalariaError.badConfiguration("invalid header \(name): it has a line break or a null character")
        }
        return try await session.send(request, meter: meter, keeping: self)
    }

    /// Reason of ``TalariaError/unreachable(host:reason:)`` for a connection that the other side closed.
    package static let closed = "it closed the connection"
    /// Reason for a connection that broke without a known cause.
    static let lost = "the connection was lost"
    /// Reason for a connection that was not made in time.
    static let late = "the connection timed out"
    /// Reason for a host without an address.
    static let unknownHost = "its host name cannot be resolved"
    /// Reasons of ``TalariaError/untrusted(host:reason:)``.
    static let anotherHost = "it is for another host"
    static let noAuthority = "it is not signed by a trusted authority, or it has expired"
}
