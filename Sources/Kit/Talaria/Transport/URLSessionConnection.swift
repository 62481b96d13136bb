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

    func begin(_ request: TransportRequest, meter: TransferMeter) -> Exchange {
        var outgoing = URLRequest(url: request.url)
        (outgoing.httpMethod, outgoing.httpBody) = (request.method.rawValue, request.body.map { Data($0) })
        for header in request.headers { outgoing.addValue(header.value, forHTTPHeaderField: header.name) }
        let exchange = Exchange(task: session.dataTask(with: outgoing), Delegate(request.url, meter, configuration))
        exchange.task.delegate = exchange.delegate
        exchange.task.resume()
        return exchange
    }

    struct Exchange: NetworkExchange {
        let task: URLSessionDataTask
        let delegate: Delegate

        init(task: URLSessionDataTask, _ delegate: Delegate) { (self.task, self.delegate) = (task, delegate) }

        var arrival: Arrival { delegate.arrival }

        func open(_ head: Arrival.Head) {}
        func bytes() async throws -> [UInt8]? { try await arrival.bytes(resume: {}) }
        func cancel() { task.cancel() }
    }

    /// A request on its way and its answer.
    final class Delegate: NSObject, URLSessionDataDelegate {
        /// URLSession cannot be held back: all that comes is kept.
        let arrival = Arrival(roomBytes: .max)
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
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse
        ) async -> URLSession.ResponseDisposition {
            guard let response = response as? HTTPURLResponse else { return .cancel }
            let headers = response.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
            arrival.take(Arrival.Head(status: response.statusCode, headers: headers))
            return .allow
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            _ = data.withUnsafeBytes { arrival.take($0) }
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

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            arrival.finish(error.map { .failure(explain($0)) } ?? .success(()))
        }

        private func explain(_ error: any Error) -> any Error {
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
