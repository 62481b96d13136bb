#if os(Linux)
import Basics
internal import CCurl
import Foundation

/// A request on its way and its answer.
///
/// `@unchecked`: what can change belongs to the session's thread.
final class CurlExchange: @unchecked Sendable {
    let session: CurlSession
    let host: String
    let arrival = Arrival()
    private let request: TransportRequest
    private let meter: TransferMeter

    /// libcurl's handle while it runs.
    private(set) var easy: UnsafeMutableRawPointer?
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var sent = 0
    private var head = Arrival.Head(status: 0)
    private var hasHead = false

    /// The connection whose bytes are counted for this exchange.
    private(set) var socket: Int32?
    private var counted = spine_socket_bytes()
    private var hasConnected = false

    init(_ request: TransportRequest, meter: TransferMeter, session: CurlSession) {
        (self.request, self.meter, self.session) = (request, meter, session)
        host = request.url.host() ?? request.url.absoluteString
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { message.deallocate() }

    // MARK: - The reader's side

    func cancel() { session.submit { self.session.end(self, .failure(CancellationError())) } }

    /// Returns the next bytes of the body, decompressed; nil at the end.
    func bytes() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await arrival.bytes(resume: { session.submit { self.resume() } })
        } onCancel: {
            cancel()
        }
    }

    /// Goes on after a pause.
    private func resume() { if let easy { curl_easy_pause(easy, CURLPAUSE_CONT) } }

    // MARK: - Handle

    /// Creates the handle.
    ///
    /// - Throws: `TalariaError.badConfiguration` for a setting that this libcurl does not have.
    func prepare() throws(TalariaError) -> UnsafeMutableRawPointer {
        guard let easy = curl_easy_init() else { throw .badConfiguration("libcurl cannot make a request") }
        do {
            try configure(easy)
        } catch {
            curl_easy_cleanup(easy)
            throw error
        }
        self.easy = easy
        return easy
    }

    func release() {
        curl_easy_cleanup(easy)
        easy = nil
        for list in lists { curl_slist_free_all(list) }
        lists = []
    }

    private func configure(_ easy: UnsafeMutableRawPointer) throws(TalariaError) {
        func check(_ code: CURLcode) throws(TalariaError) {
            guard code == CURLE_OK else {
                let reason = String(cString: curl_easy_strerror(code))
                throw .badConfiguration("libcurl does not support a setting (\(reason)); install its OpenSSL flavour")
            }
        }
        let configuration = session.configuration
        // Headers that libcurl would add.
        let given = Set(request.headers.map { $0.name.lowercased() })
        let unwanted = ["Accept", "Accept-Encoding", "Content-Type", "Expect"].filter {
            !given.contains($0.lowercased())
        }
        let headers = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        var numbers = [
            (CURLOPT_PATH_AS_IS, 1), (CURLOPT_NOSIGNAL, 1), (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            (CURLOPT_CONNECTTIMEOUT_MS, Int(configuration.connectTimeout / .milliseconds(1))),
            // Does not wait for the resolver of a host name when a request is cancelled.
            (CURLOPT_QUICK_EXIT, 1),
            // Longer than this, a server has usually closed it.
            (CURLOPT_MAXAGE_CONN, 60),
        ]
        if request.method == .post || request.body != nil {
            numbers += [(CURLOPT_POST, 1), (CURLOPT_POSTFIELDSIZE, request.body?.count ?? 0)]
        }
        var texts = [
            (CURLOPT_URL, request.url.absoluteString), (CURLOPT_PROXY, ""), (CURLOPT_ACCEPT_ENCODING, "gzip, deflate"),
            (CURLOPT_CUSTOMREQUEST, request.method.rawValue),
        ]
        if !configuration.pins.isEmpty {
            numbers.append((CURLOPT_CERTINFO, 1))
            let pins = configuration.pins.map { "sha256//\($0.base64)" }.joined(separator: ";")
            texts.append((CURLOPT_PINNEDPUBLICKEY, pins))
        }
        var values = [(CURLOPT_HTTPHEADER, headers + unwanted.map { "\($0):" })]
        if let address = configuration.addresses[host.trimmingCharacters(in: ["[", "]"])] {
            values.append((CURLOPT_CONNECT_TO, ["::\(address.contains(":") ? "[\(address)]" : address):"]))
        }
        for (option, number) in numbers { try check(spine_curl_set_long(easy, option, number)) }
        for (option, text) in texts { try check(spine_curl_set(easy, option, text)) }
        for (option, texts) in values {
            guard let list = texts.reduce(nil, { curl_slist_append($0, $1) }) else { continue }
            lists.append(list)
            try check(spine_curl_set(easy, option, list))
        }
        if !configuration.trustedRoots.isEmpty {
            let roots = configuration.trustedRoots.joined(separator: "\n")
            try check(spine_curl_set_authorities(easy, roots, roots.utf8.count))
        }
        let own = Unmanaged.passUnretained(self).toOpaque()
        try check(
            spine_curl_set_functions(easy, Self.functions, own, Unmanaged.passUnretained(session).toOpaque())
        )
        try check(spine_curl_set(easy, CURLOPT_ERRORBUFFER, message))
    }

    // MARK: - Functions that libcurl calls

    private static func exchange(_ pointer: UnsafeMutableRawPointer?) -> CurlExchange? {
        pointer.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func session(_ pointer: UnsafeMutableRawPointer?) -> CurlSession? {
        pointer.map { Unmanaged<CurlSession>.fromOpaque($0).takeUnretainedValue() }
    }

    private static var functions: spine_curl_functions {
        spine_curl_functions(
            header: { bytes, size, count, exchange in
                CurlExchange.exchange(exchange)?.read(
                    headerLine: UnsafeRawBufferPointer(start: bytes, count: size * count)
                )
                return size * count
            },
            write: { bytes, size, count, exchange in
                guard let exchange = CurlExchange.exchange(exchange) else { return 0 }
                exchange.count()
                let isTaken = exchange.arrival.add(UnsafeRawBufferPointer(start: bytes, count: size * count))
                return isTaken ? size * count : Int(CURL_WRITEFUNC_PAUSE)
            },
            read: { room, size, count, exchange in
                guard let room, let exchange = CurlExchange.exchange(exchange) else { return 0 }
                return exchange.give(UnsafeMutableRawBufferPointer(start: room, count: size * count))
            },
            connected: { exchange, _, address, _, port in
                guard let exchange = CurlExchange.exchange(exchange), let address,
                    exchange.session.connected(exchange, address: address, port: port)
                else { return CURL_PREREQFUNC_ABORT }
                return CURL_PREREQFUNC_OK
            },
            open: { session, _, address in
                guard let session = CurlExchange.session(session), let address else { return CURL_SOCKET_BAD }
                return session.open(address.pointee)
            },
            close: { session, socket in CurlExchange.session(session)?.close(socket) ?? -1 }
        )
    }

    private func read(headerLine line: UnsafeRawBufferPointer) {
        count()
        // After the body, there may be more of them.
        if hasHead { return }
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("HTTP/") {
            head = Arrival.Head(status: text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
        } else if text.isEmpty {
            // An answer below 200 is followed by another.
            hasHead = head.status >= 200
            if hasHead { arrival.setHead(head) }
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            head.headers.append((String(text[..<colon]), value))
        }
    }

    private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
        guard let body = request.body else { return 0 }
        let end = min(sent + room.count, body.count)
        defer { sent = end }
        room.copyBytes(from: body[sent..<end])
        return end - sent
    }

    // MARK: - Bytes

    /// Begins to count a connection's bytes.
    ///
    /// - Returns: false where the kernel does not count, or where libcurl would repeat the request on this connection
    ///   because another one was closed: that is for the caller to decide.
    func attach(to socket: Int32) -> Bool {
        guard !hasConnected, spine_socket_count(socket, &counted) != 0 else { return false }
        (self.socket, hasConnected) = (socket, true)
        return true
    }

    /// Counts the bytes so far, and no later ones.
    func detach() {
        count()
        socket = nil
    }

    private func count() {
        var now = spine_socket_bytes()
        guard let socket, spine_socket_count(socket, &now) != 0 else { return }
        meter.addUp(Int(now.up - counted.up))
        meter.addDown(Int(now.down - counted.down))
        counted = now
    }

    // MARK: - End

    /// Returns the result of the transfer, whose handle is still there.
    func result(of code: CURLcode) -> Result<Void, any Error> {
        guard code == CURLE_OK, hasHead else { return .failure(error(code)) }
        return .success(())
    }

    private func error(_ code: CURLcode) -> TalariaError {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION:
            let isChain = spine_curl_long(easy, CURLINFO_SSL_VERIFYRESULT) != 0
            return .untrusted(host: host, reason: isChain ? NetworkTransport.noAuthority : NetworkTransport.anotherHost)
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            let found = spine_curl_certificate(easy).flatMap { Certificate.all(inPEM: String(cString: $0))?.first }
            return .wrongPin(host: host, found: found?.pin.base64 ?? "")
        case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            return .malformed(operation: "decompressing an answer of \(host)", reason: "it is damaged")
        default: return .unreachable(host: host, reason: reason(code))
        }
    }

    /// Returns the reason for a missing connection, in plain words instead of the library's.
    private func reason(_ code: CURLcode) -> String {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return NetworkTransport.unknownHost
        case CURLE_OPERATION_TIMEDOUT: return NetworkTransport.late
        // Repeated, complete without a head, or not at its end.
        case CURLE_ABORTED_BY_CALLBACK, CURLE_SEND_FAIL_REWIND, CURLE_OK, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
            return NetworkTransport.closed
        case CURLE_COULDNT_CONNECT, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            let number = Int32(spine_curl_long(easy, CURLINFO_OS_ERRNO))
            return POSIXErrorCode(rawValue: number).map { POSIXError($0).systemReason } ?? NetworkTransport.lost
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE:
            return "no TLS connection could be made (\(String(cString: message)))"
        default: return NetworkTransport.lost
        }
    }
}
#endif
