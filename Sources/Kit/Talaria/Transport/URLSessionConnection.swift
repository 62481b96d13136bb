#if canImport(Darwin)
import Foundation
import Security
import Synchronization

typealias NetworkSession = URLSessionConnection

/// Connections of one transport on Apple's systems: checked by eye, not run.
///
/// Bytes are those that URLSession's metrics count for HTTP; the records of TLS are not among them.
final class URLSessionConnection: Sendable {
    private let configuration: NetworkTransport.Configuration
    private let session: URLSession

    init(_ configuration: NetworkTransport.Configuration) throws(TalariaError) {
        guard configuration.addresses.isEmpty else {
            throw .badConfiguration("URLSession cannot be given the address of a host; this needs Linux")
        }
        self.configuration = configuration
        let settings = URLSessionConfiguration.ephemeral
        settings.connectionProxyDictionary = [:]
        settings.httpShouldSetCookies = false
        settings.httpCookieAcceptPolicy = .never
        settings.urlCache = nil
        settings.httpMaximumConnectionsPerHost = 16
        settings.tlsMinimumSupportedProtocolVersion = .TLSv12
        // The client limits the time of its requests itself, and a stream may be silent.
        settings.timeoutIntervalForRequest = 86_400
        session = URLSession(configuration: settings)
    }

    func stop() { session.finishTasksAndInvalidate() }

    func send(
        _ request: TransportRequest,
        meter: TransferMeter,
        keeping owner: NetworkTransport
    ) async throws -> TransportResponse {
        var outgoing = URLRequest(url: request.url)
        (outgoing.httpMethod, outgoing.httpBody) = (request.method.rawValue, request.body.map { Data($0) })
        for header in request.headers { outgoing.addValue(header.value, forHTTPHeaderField: header.name) }
        let delegate = Delegate(request.url, meter, configuration)
        do {
            let (bytes, response) = try await session.bytes(for: outgoing, delegate: delegate)
            guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            let body = Body(bytes, delegate, owner)
            return TransportResponse(
                status: head.statusCode,
                headers: head.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") },
                body: ByteStream(unfolding: { try await body.next() })
            )
        } catch {
            throw delegate.explain(error)
        }
    }

    /// A body that is read, by one task at a time; its release closes a connection that is not at its end.
    private final class Body: @unchecked Sendable {
        private let task: URLSessionTask
        private var bytes: URLSession.AsyncBytes.Iterator
        private let delegate: Delegate
        private let owner: NetworkTransport

        init(_ bytes: URLSession.AsyncBytes, _ delegate: Delegate, _ owner: NetworkTransport) {
            (task, self.bytes) = (bytes.task, bytes.makeAsyncIterator())
            (self.delegate, self.owner) = (delegate, owner)
        }

        deinit { task.cancel() }

        /// Returns a line at most, so that an event of a stream does not wait for the next one.
        func next() async throws -> [UInt8]? {
            var piece: [UInt8] = []
            do {
                while piece.count < 65_536, piece.last != 10, let byte = try await bytes.next() { piece.append(byte) }
            } catch {
                throw delegate.explain(error)
            }
            return piece.isEmpty ? nil : piece
        }
    }

    /// Judge of a server, and counter of the bytes of a request.
    private final class Delegate: NSObject, URLSessionTaskDelegate {
        private let host: String
        private let meter: TransferMeter
        private let pins: [CertificatePin]
        private let roots: [SecCertificate]
        /// The reason for a refused server.
        private let refusal = Mutex<TalariaError?>(nil)

        init(_ url: URL, _ meter: TransferMeter, _ configuration: NetworkTransport.Configuration) {
            host = url.host() ?? url.absoluteString
            (self.meter, pins) = (meter, configuration.pins)
            roots = configuration.trustedRoots.flatMap { Certificate.all(inPEM: $0) ?? [] }
                .compactMap { SecCertificateCreateWithData(nil, Data($0.der) as CFData) }
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? { nil }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            guard let trust = challenge.protectionSpace.serverTrust else { return (.rejectProtectionSpace, nil) }
            if !roots.isEmpty {
                SecTrustSetAnchorCertificates(trust, roots as CFArray)
                SecTrustSetAnchorCertificatesOnly(trust, true)
            }
            guard SecTrustEvaluateWithError(trust, nil) else {
                let reason = "\(NetworkTransport.noAuthority), or \(NetworkTransport.anotherHost)"
                return refuse(.untrusted(host: host, reason: reason))
            }
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
            let found = chain?.first.flatMap { Certificate(der: [UInt8](SecCertificateCopyData($0) as Data)) }?.pin
            guard pins.isEmpty || found.map(pins.contains) == true else {
                return refuse(.wrongPin(host: host, found: found?.base64 ?? ""))
            }
            return (.useCredential, URLCredential(trust: trust))
        }

        private func refuse(_ error: TalariaError) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            refusal.withLock { $0 = error }
            return (.cancelAuthenticationChallenge, nil)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            for transaction in metrics.transactionMetrics {
                let up = transaction.countOfRequestHeaderBytesSent + transaction.countOfRequestBodyBytesSent
                let down = transaction.countOfResponseHeaderBytesReceived + transaction.countOfResponseBodyBytesReceived
                meter.addUp(Int(up))
                meter.addDown(Int(down))
            }
        }

        func explain(_ error: any Error) -> any Error {
            if let refusal = refusal.withLock({ $0 }) { return refusal }
            func unreachable(_ reason: String) -> TalariaError { .unreachable(host: host, reason: reason) }
            switch (error as? URLError)?.code {
            case .cancelled: return CancellationError()
            case .cannotFindHost, .dnsLookupFailed: return unreachable(NetworkTransport.unknownHost)
            case .cannotConnectToHost: return unreachable("connection refused")
            case .timedOut: return unreachable(NetworkTransport.late)
            case .networkConnectionLost: return unreachable(NetworkTransport.closed)
            case .secureConnectionFailed: return unreachable("no TLS connection could be made")
            default: return unreachable(NetworkTransport.lost)
            }
        }
    }
}
#endif
