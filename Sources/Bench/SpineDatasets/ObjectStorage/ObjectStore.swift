import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A store that speaks S3: objects of buckets, read whole or in parts, and written whole.
///
/// Calls block their thread. A request that fails for a transient reason is repeated within the settings' time; after
/// a failure of that, all later ones fail at once to avoid repeated waits. A redirect is never followed, as it would
/// send signed requests to an unknown server.
package final class ObjectStore: Sendable {
    let settings: StoreSettings
    private let client: HTTPClient
    private let outage = Mutex<ObjectStoreError?>(nil)

    private static let attempts = 6
    /// Capacity for a store's error response, independent of the requested size.
    private static let faultRoom = 1 << 16

    init(_ settings: StoreSettings) {
        self.settings = settings
        let silence = TimeAmount.milliseconds(Int64(settings.timeout * 1_000 / 3))
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        configuration.timeout.connect = min(.seconds(10), silence)
        configuration.timeout.read = silence
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
        // Attempts are counted here.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
    }

    deinit { client.shutdown { _ in } }

    /// Lets all requests from now on fail at once.
    func abandon() {
        outage.withLock {
            $0 = $0 ?? ObjectStoreError(.unreachable, "the store", "timed out without data; try again later")
        }
    }

    package struct Head: Sendable, Equatable {
        var size: Int
        /// Name of the object's content, which another content does not have; nil where the store states none.
        var version: String?
    }

    package struct Body: Sendable {
        package var bytes: [UInt8]
        var head: Head
    }

    /// Returns the metadata of an object; nil when the object does not exist.
    func head(_ address: ObjectAddress) throws(ObjectStoreError) -> Head? {
        do throws(ObjectStoreError) {
            let answer = try answer("HEAD", address, [:], limit: 0)
            guard let text = answer.headers.first(name: "content-length"), let size = Int(text), size >= 0 else {
                throw ObjectStoreError(.refused, "\(address)", "the store does not report its size")
            }
            return Head(size: size, version: Self.version(answer))
        } catch {
            if error.kind == .missing { return nil }
            guard error.kind == .refused else { throw error }
            // A response to HEAD contains no reason.
            return try read(address, 0..<1, limit: 1).head
        }
    }

    /// Returns an object, or a part of it: of that `version`, unless it is nil, and of at most `limit` bytes.
    package func read(
        _ address: ObjectAddress,
        _ range: Range<Int>? = nil,
        version: String? = nil,
        limit: Int
    ) throws(ObjectStoreError) -> Body {
        var headers: [String: String] = [:]
        if let range { headers["range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)" }
        headers["if-match"] = version
        let answer = try answer("GET", address, headers, limit: limit)
        let bytes = answer.body.map { Array($0.readableBytesView) } ?? []
        guard bytes.count <= limit else { throw Self.tooLarge(address, limit) }
        var total = bytes.count
        if let range {
            // "bytes 0-511/10240"
            let text = answer.headers.first(name: "content-range") ?? ""
            guard answer.status == .partialContent, let slash = text.lastIndex(of: "/"),
                let size = Int(text[text.index(after: slash)...])
            else { throw ObjectStoreError(.refused, "\(address)", "the store does not support partial reads (Range)") }
            total = size
            let expected = min(range.upperBound, size) - range.lowerBound
            guard text.hasPrefix("bytes \(range.lowerBound)-"), bytes.count == expected else {
                throw ObjectStoreError(
                    .changed,
                    "\(address)",
                    "the store sent a different part than requested: \(text)"
                )
            }
        }
        return Body(bytes: bytes, head: Head(size: total, version: Self.version(answer)))
    }

    private static func version(_ answer: HTTPClient.Response) -> String? {
        answer.headers.first(name: "etag") ?? answer.headers.first(name: "last-modified")
    }

    private static func tooLarge(_ address: ObjectAddress, _ limit: Int) -> ObjectStoreError {
        ObjectStoreError(.tooLarge, "\(address)", "exceeds the limit of \(limit) bytes")
    }

    /// Writes a new object; returns false when there is one already, which is left as it is.
    package func add(_ address: ObjectAddress, _ bytes: [UInt8]) throws(ObjectStoreError) -> Bool {
        if try head(address) != nil { return false }
        do throws(ObjectStoreError) {
            _ = try answer("PUT", address, ["if-none-match": "*"], limit: 0, body: bytes)
            return true
        } catch {
            guard error.kind == .changed else { throw error }
            return false
        }
    }

    /// Returns the names of the objects below an address, without what is before the slash after it.
    package func names(below address: ObjectAddress) throws(ObjectStoreError) -> [String] {
        func encoded(_ text: String) -> String { ObjectAddress.encoded(text).replacing("/", with: "%2F") }
        let prefix = address.key.isEmpty ? "" : address.key + "/"
        var (names, token, bucket): ([String], String?, ObjectAddress) = ([], nil, address)
        bucket.key = ""
        repeat {
            let query =
                (token.map { "continuation-token=\(encoded($0))&" } ?? "") + "list-type=2&prefix=\(encoded(prefix))"
            let body = try answer("GET", bucket, [:], limit: 1 << 24, query: query).body
            let text = body.map { String(decoding: $0.readableBytesView, as: UTF8.self) } ?? ""
            func elements(_ name: String) -> [String] {
                text.components(separatedBy: "<\(name)>").dropFirst().map { $0.components(separatedBy: "</")[0] }
            }
            names += elements("Key").filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
            token = elements("NextContinuationToken").first
        } while token != nil
        return names
    }

    // MARK: Requests

    private func answer(
        _ method: String,
        _ address: ObjectAddress,
        _ headers: [String: String],
        limit: Int,
        query: String = "",
        body: [UInt8] = []
    ) throws(ObjectStoreError) -> HTTPClient.Response {
        if let outage = outage.withLock(\.self) { throw outage }
        let end = ContinuousClock.now + .seconds(settings.timeout)
        var pause = 0.2
        var attempt = 1
        while true {
            let failure: ObjectStoreError
            do throws(ObjectStoreError) {
                let answer = try send(method, address, headers, limit: limit, query: query, body: body)
                if (200..<300).contains(answer.status.code) { return answer }
                failure = StoreFault(answer).error(address, settings)
            } catch { failure = error }
            let wait = pause * Double.random(in: 0.5...1)
            guard failure.mayPass, attempt < Self.attempts, .now + .seconds(wait) < end else {
                guard failure.mayPass else { throw failure }
                let times = attempt == 1 ? "" : " (\(attempt) attempts)"
                let problem = "\(failure.problem)\(times); try again later"
                let last = ObjectStoreError(failure.kind, failure.place, problem)
                outage.withLock { $0 = $0 ?? last }
                throw last
            }
            Thread.sleep(forTimeInterval: wait)
            (pause, attempt) = (min(5, pause * 2), attempt + 1)
        }
    }

    private func send(
        _ method: String,
        _ address: ObjectAddress,
        _ headers: [String: String],
        limit: Int,
        query: String,
        body: [UInt8]
    ) throws(ObjectStoreError) -> HTTPClient.Response {
        let (scheme, host, path) = settings.target(address)
        var headers = headers
        headers["host"] = host
        if let credentials = settings.credentials {
            headers = RequestSignature(credentials: credentials, region: settings.region).headers(
                method: method,
                host: host,
                path: path,
                query: query,
                headers: headers,
                body: body,
                time: Date().ISO8601Format().filter { $0 != "-" && $0 != ":" }
            )
        }
        do {
            let request = try HTTPClient.Request(
                url: "\(scheme)://\(host)\(path)\(query.isEmpty ? "" : "?\(query)")",
                method: HTTPMethod(rawValue: method),
                headers: HTTPHeaders(headers.map { ($0.key, $0.value) }),
                body: body.isEmpty ? nil : .bytes(body)
            )
            // One that sends a byte now and then is cut off, too.
            let deadline = NIODeadline.now() + .milliseconds(Int64(settings.timeout * 5_000))
            let received = ResponseAccumulator(request: request, maxBodySize: max(limit, Self.faultRoom))
            return try client.execute(request: request, delegate: received, deadline: deadline).wait()
        } catch is ResponseAccumulator.ResponseTooBigError {
            throw Self.tooLarge(address, limit)
        } catch {
            throw ObjectStoreError(.unreachable, "\(address)", "\(scheme)://\(host) \(Self.reason(error))")
        }
    }

    /// Returns the reason for a missing answer, in plain words instead of the libraries'.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: return "is unavailable: \(String(cString: strerror(error.errnoCode)).lowercased())"
        case let error as NIOConnectionError:
            return error.connectionErrors.first.map { reason($0.error) } ?? "has a host name that cannot be resolved"
        case ChannelError.connectTimeout: return "refuses connections"
        case let error as HTTPClientError:
            switch error {
            case .connectTimeout: return "refuses connections"
            case .readTimeout, .deadlineExceeded: return "does not answer in time"
            case .remoteConnectionClosed: return "closed the connection early"
            case .invalidURL, .emptyHost: return "is not an address"
            default: return "dropped the connection (\(error.shortDescription))"
            }
        case is HTTPParserError: return "sent a truncated answer, or is not an HTTP server"
        default: return "dropped the connection (\(error))"
        }
    }
}

/// Error response of a store.
///
/// Source: Amazon S3 API Reference, "Error responses".
private struct StoreFault {
    private let status: Int
    /// Error code of the store: "NoSuchKey"; empty when it is missing.
    private let code: String
    private let message: String
    private let region: String?
    private let location: String?

    init(_ answer: HTTPClient.Response) {
        let text = answer.body.map { String(decoding: $0.readableBytesView.prefix(4_096), as: UTF8.self) } ?? ""
        /// Returns the content of an element, cut and without control characters of terminals.
        func element(_ name: String) -> String? {
            guard let start = text.range(of: "<\(name)>"), let end = text.range(of: "</\(name)>"),
                start.upperBound <= end.lowerBound
            else { return nil }
            return Self.plain(text[start.upperBound..<end.lowerBound])
        }
        status = Int(answer.status.code)
        code = element("Code") ?? ""
        message = element("Message") ?? ""
        region = answer.headers.first(name: "x-amz-bucket-region").map { Self.plain($0[...]) } ?? element("Region")
        location = answer.headers.first(name: "location").map { Self.plain($0[...]) }
    }

    private static func plain(_ text: Substring) -> String {
        let scalars = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String.UnicodeScalarView(scalars.prefix(200)))
    }

    func error(_ address: ObjectAddress, _ settings: StoreSettings) -> ObjectStoreError {
        let target = settings.target(address)
        let store = "\(target.scheme)://\(target.host)"
        let words = [code, message].filter { !$0.isEmpty }.joined(separator: ": ")
        let said = "HTTP \(status)\(words.isEmpty ? "" : ", \(words)")"
        func error(_ kind: ObjectStoreError.Kind, _ problem: String) -> ObjectStoreError {
            ObjectStoreError(kind, "\(address)", problem)
        }
        if [301, 307, 400].contains(status), let region, region != settings.region {
            return error(
                .refused,
                "the bucket is in the region \(region), not in \(settings.region): set AWS_REGION=\(region)"
            )
        }
        switch (status, code) {
        case (_, "ExpiredToken"), (_, "RequestTimeTooSkewed"), (_, "TokenRefreshRequired"):
            return error(
                .unreachable,
                "\(store) refuses the keys for now (\(said)): renew the session token, or set the clock"
            )
        case (300..<400, _):
            let place = location.map { " to \($0)" } ?? ""
            return error(
                .refused,
                "\(store) redirects\(place) (\(said)), which is not followed: check AWS_REGION and AWS_ENDPOINT_URL_S3"
            )
        case (404, "NoSuchBucket"):
            return error(
                .missing,
                "bucket not found: \"\(address.bucket)\" at \(store): check its name and AWS_ENDPOINT_URL_S3"
            )
        case (404, _): return error(.missing, "object not found at \(store)")
        case (401, _), (403, _):
            let advice =
                settings.credentials == nil
                ? "no keys are set: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
                : "check the keys, and allow them s3:GetObject, and s3:ListBucket, without which a missing object is refused, too"
            return error(.refused, "\(store) refuses it (\(said)); \(advice)")
        case (412, _): return error(.changed, "was replaced during the read: start again")
        case (416, _): return error(.changed, "is shorter than before, or than the index of shards states")
        case (408, _), (429, _), (500..<600, _): return error(.unreachable, "\(store) cannot answer now (\(said))")
        default: return error(.refused, "\(store) answers with \(said)")
        }
    }
}
