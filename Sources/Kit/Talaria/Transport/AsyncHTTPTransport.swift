import AsyncHTTPClient
import Basics
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// Carries requests with AsyncHTTPClient: HTTP/1.1, TLS with pins, gzip within limits, and every byte counted.
public final class AsyncHTTPTransport: HTTPTransport {
    /// Configuration of the transport.
    public struct Configuration: Sendable, Equatable {
        /// Accepted keys of the server; empty for any key certified by a trusted authority.
        public var pins: [CertificatePin] = []
        /// Certificates that are trusted instead of the system's, PEM; empty for the system's.
        public var trustedRoots: [String] = []
        /// Addresses of hosts that are used without a name query, such as ones that were resolved and checked before.
        public var addresses: [String: String] = [:]
        /// Longest time for a connection to be made.
        public var connectTimeout = Duration.seconds(10)
        /// Largest factor by which an answer may grow when it is decompressed.
        public var maximumInflation = 200

        /// Creates a configuration that trusts the system's authorities by default.
        public init(pins: [CertificatePin] = [], trustedRoots: [String] = []) {
            (self.pins, self.trustedRoots) = (pins, trustedRoots)
        }
    }

    private let configuration: Configuration
    private let client: HTTPClient
    private let meters = MeterRegistry()

    /// Creates a transport; shut it down after its last use.
    ///
    /// - Throws: `TalariaError.badConfiguration` for a root that is not a certificate.
    public init(_ configuration: Configuration = Configuration()) throws(TalariaError) {
        self.configuration = configuration
        var settings = HTTPClient.Configuration(tlsConfiguration: try Self.tls(configuration))
        // Both would send a request, and its token, to a server that the user did not choose.
        settings.redirectConfiguration = .disallow
        settings.proxy = nil
        settings.dnsOverride = configuration.addresses
        // One request at a time on a connection, so that its bytes can be attributed.
        settings.httpVersion = .http1Only
        settings.timeout.connect = .nanoseconds(Int64(configuration.connectTimeout / .nanoseconds(1)))
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
        // The client has waits of its own, which the app knows of.
        settings.connectionPool.retryConnectionEstablishment = false
        settings.decompression = .enabled(limit: .ratio(configuration.maximumInflation))
        settings.http1_1ConnectionDebugInitializer = { [meters] channel in
            channel.eventLoop.submit {
                do {
                    try Self.checkPin(of: channel, configuration.pins)
                    try ConnectionMeter.install(on: channel, meters: meters)
                } catch {
                    // Refused before the first byte of a request; the channel has no other owner that would close it.
                    channel.close(promise: nil)
                    throw error
                }
            }
        }
        // NIO's own sockets on every platform: the pins and the meter need its pipeline.
        client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: settings)
    }

    /// Closes the connections of a transport that was not shut down because of an error.
    deinit { client.shutdown { _ in } }

    /// Closes all connections.
    ///
    /// - Throws: When the transport was shut down before.
    public func shutdown() async throws { try await client.shutdown() }

    /// Sends a request; see the protocol.
    public func send(_ request: TransportRequest, meter: TransferMeter) async throws -> TransportResponse {
        let host = request.url.host() ?? request.url.absoluteString
        guard configuration.pins.isEmpty || request.url.scheme == "https" else {
            throw TalariaError.badConfiguration("keys are pinned, but \(request.url) is not encrypted; use https")
        }
        // NIO ends the process for a port that does not fit.
        guard (0...65_535).contains(request.url.port ?? 0) else {
            throw TalariaError.badConfiguration("\(request.url) has a port above 65535; specify a valid port")
        }
        var outgoing = HTTPClientRequest(url: request.url.absoluteString)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for header in request.headers { outgoing.headers.add(name: header.name, value: header.value) }
        let name = meters.add(meter)
        defer { meters.remove(name) }
        outgoing.headers.add(name: ConnectionMeter.header, value: name)
        if let body = request.body {
            outgoing.body = .stream(
                body.map { ByteBuffer(bytes: $0) },
                length: body.length.map { .known(Int64($0)) } ?? .unknown
            )
        }
        do {
            let response = try await client.execute(outgoing, deadline: .distantFuture)
            return TransportResponse(
                status: Int(response.status.code),
                headers: response.headers.map { ($0.name, $0.value) },
                body: ByteStream {
                    var buffers = response.body.makeAsyncIterator()
                    return {
                        do {
                            return try await buffers.next().map { Array($0.readableBytesView) }
                        } catch {
                            throw Self.explain(error, host: host)
                        }
                    }
                }
            )
        } catch {
            await meters.settle(name)
            throw Self.explain(error, host: host)
        }
    }

    private static func tls(_ configuration: Configuration) throws(TalariaError) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        guard !configuration.trustedRoots.isEmpty else { return tls }
        do {
            let roots = try configuration.trustedRoots.flatMap { try NIOSSLCertificate.fromPEMBytes(Array($0.utf8)) }
            tls.trustRoots = .certificates(roots)
        } catch {
            throw .badConfiguration("a trusted root is not a PEM certificate")
        }
        return tls
    }

    /// - Throws: `TalariaError.wrongPin` when the server's key is none of `pins`.
    private static func checkPin(of channel: any Channel, _ pins: [CertificatePin]) throws {
        guard !pins.isEmpty else { return }
        let certificate = try channel.pipeline.syncOperations.nioSSL_peerCertificate()
        let key = try certificate?.extractPublicKey().toSPKIBytes() ?? []
        let found = CertificatePin(subjectPublicKeyInfo: key)
        guard certificate != nil, pins.contains(found) else {
            throw TalariaError.wrongPin(host: channel.remoteAddress?.ipAddress ?? "the server", found: found.base64)
        }
    }

    /// Returns the client's error for one of the libraries'.
    private static func explain(_ error: any Error, host: String) -> any Error {
        if Task.isCancelled || error is CancellationError { return CancellationError() }
        switch error {
        case TalariaError.wrongPin(_, let found): return TalariaError.wrongPin(host: host, found: found)
        case is TalariaError: return error
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            return TalariaError.untrusted(host: host, reason: "it is for another host")
        case is NIOSSLExtraError: return TalariaError.untrusted(host: host, reason: "it cannot be checked")
        case NIOSSLError.handshakeFailed(let reason) where "\(reason)".contains("CERTIFICATE_VERIFY_FAILED"):
            return TalariaError.untrusted(
                host: host,
                reason: "it is not signed by a trusted authority, or it has expired"
            )
        case is NIOSSLError, is BoringSSLError:
            return TalariaError.unreachable(host: host, reason: "no TLS connection could be made (\(error))")
        case NIOHTTPDecompression.DecompressionError.limit:
            return TalariaError.malformed(
                operation: "decompressing an answer of \(host)",
                reason: "it expands beyond the limit"
            )
        case is NIOHTTPDecompression.DecompressionError:
            return TalariaError.malformed(operation: "decompressing an answer of \(host)", reason: "it is damaged")
        default: return TalariaError.unreachable(host: host, reason: reason(error))
        }
    }

    /// Reason of ``TalariaError/unreachable(host:reason:)`` for a connection that the other side closed.
    package static let closed = "it closed the connection"

    /// Returns the reason for a missing connection, in plain words instead of the libraries'.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: return POSIXError(POSIXErrorCode(rawValue: error.errnoCode) ?? .EIO).systemReason
        case let error as NIOConnectionError:
            return error.connectionErrors.first.map { reason($0.error) } ?? "its host name cannot be resolved"
        case ChannelError.connectTimeout: return "the connection timed out"
        case let error as HTTPClientError:
            switch error {
            case .connectTimeout: return "the connection timed out"
            case .readTimeout, .deadlineExceeded: return "no data arrived in time"
            case .remoteConnectionClosed: return Self.closed
            default: return "the connection was lost"
            }
        default: return "the connection was lost"
        }
    }
}
