import HTTPTypes

/// Head of a request of HTTP/1.1 or 1.0 (RFC 9112), whose framing is unambiguous.
struct RequestHead: Sendable {
    let method: HTTPRequest.Method
    /// Path and query.
    let target: String
    let authority: String?
    let fields: HTTPFields
    /// Whether it is of HTTP/1.0.
    let isOld: Bool
    let contentLength: Int?
    let isChunked: Bool

    /// Maximum number of header fields.
    static let mostFields = 100

    /// - Parameter lines: without their ends; the first is the request line.
    /// - Throws: ``HeadError``.
    init(_ lines: [[UInt8]]) throws(HeadError) {
        let words = (lines.first ?? []).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, let method = HTTPRequest.Method(Self.text(words[0])), !words[1].isEmpty,
            words[1].allSatisfy({ (0x21...0x7E).contains($0) }),
            let isOld = ["HTTP/1.1": false, "HTTP/1.0": true][Self.text(words[2])]
        else { throw .malformed }
        (self.method, self.isOld) = (method, isOld)
        var (fields, hosts) = (HTTPFields(), [String]())
        for line in lines.dropFirst() {
            guard let field = Self.field(line) else { throw .malformed }
            if field.name.canonicalName == "host" { hosts.append(field.value) } else { fields.append(field) }
        }
        // Section 3.2: one host, and none at most in HTTP/1.0.
        guard hosts.count == 1 || hosts.isEmpty && isOld else { throw .malformed }
        let target = Self.text(words[1])
        if let absolute = target.firstRange(of: "://"), ["http", "https"].contains(target[..<absolute.lowerBound]) {
            let rest = target[absolute.upperBound...]
            authority = String(rest.prefix { !"/?".contains($0) })
            let path = rest.drop { !"/?".contains($0) }
            self.target = path.hasPrefix("/") ? String(path) : "/\(path)"
        } else {
            (authority, self.target) = (hosts.first, target)
        }
        // Section 6.3: two lengths, or a length and a coding, are an attempt to smuggle a request.
        let lengths = fields[values: .contentLength]
        let codings = fields[values: .transferEncoding]
        guard lengths.count + codings.count <= 1, codings.isEmpty || !isOld,
            codings.allSatisfy({ $0.lowercased() == "chunked" })
        else { throw .malformed }
        isChunked = !codings.isEmpty
        guard let length = lengths.first else {
            (contentLength, self.fields) = (nil, fields)
            return
        }
        guard let number = Int(length), length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .malformed }
        (contentLength, self.fields) = (number, fields)
    }

    /// Whether the connection stays open behind the answer (section 9.3).
    var keepsAlive: Bool { isOld ? has("keep-alive") : !has("close") }

    /// Whether the client sends no body before it was asked for it (RFC 9110, section 10.1.1).
    var expectsContinue: Bool { !isOld && fields[.expect]?.lowercased() == "100-continue" }

    private func has(_ option: String) -> Bool {
        (fields[.connection] ?? "").lowercased().split(separator: ",").contains {
            $0.trimmingPrefix(" ").prefix { $0 != " " } == option
        }
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

    private static func field(_ line: [UInt8]) -> HTTPField? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), let name = HTTPField.Name(text(line[..<colon])) else {
            return nil
        }
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let value = line[(colon + 1)...].drop(while: isBlank)
        let end = value.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? value.startIndex
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return nil }
        return HTTPField(name: name, value: text(value[..<end]))
    }
}

/// Reason why a request is refused before anybody sees it.
enum HeadError: Error {
    case malformed, tooLong, timedOut

    var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .tooLong: .requestHeaderFieldsTooLarge
        case .timedOut: .requestTimeout
        }
    }
}
