import Foundation
import HTTPTypes

extension Request {
    /// Creates a request from the lines of its head (RFC 9112), whose framing must be unambiguous.
    ///
    /// - Throws: ``RequestError/malformed``.
    init(_ lines: [[UInt8]], on connection: HTTPConnection) throws(RequestError) {
        let words = (lines.first ?? []).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, let method = HTTPRequest.Method(Self.text(words[0])), !words[1].isEmpty,
            words[1].allSatisfy({ (0x21...0x7E).contains($0) }), Self.text(words[2]) == "HTTP/1.1"
        else { throw .malformed }
        var (fields, hosts) = (HTTPFields(), [String]())
        for line in lines.dropFirst() {
            guard let field = Self.field(line) else { throw .malformed }
            if field.name.canonicalName == "host" { hosts.append(field.value) } else { fields.append(field) }
        }
        // Section 3.2.
        guard hosts.count == 1 else { throw .malformed }
        var (target, authority) = (Self.text(words[1]), hosts[0])
        if let absolute = target.firstRange(of: "://"), ["http", "https"].contains(target[..<absolute.lowerBound]) {
            let rest = target[absolute.upperBound...]
            authority = String(rest.prefix { !"/?".contains($0) })
            let path = rest.drop { !"/?".contains($0) }
            target = path.hasPrefix("/") ? String(path) : "/\(path)"
        }
        // Section 6.3: two lengths, or a length and a coding, are an attempt to smuggle a request.
        let (lengths, codings) = (fields[values: .contentLength], fields[values: .transferEncoding])
        guard lengths.count + codings.count <= 1, codings.allSatisfy({ $0.lowercased() == "chunked" }),
            lengths.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int($0) != nil })
        else { throw .malformed }
        let parts = target.prefix { $0 != "#" }.split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        (path, queryText) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        (id, self.method, self.authority) = (UUID().uuidString.lowercased(), method, authority)
        (headers, isChunked) = (fields, !codings.isEmpty)
        body = RequestBody(connection: connection, announced: lengths.first.flatMap { Int($0) })
    }

    /// Whether the connection stays open behind the answer (section 9.3).
    var keepsAlive: Bool {
        !(headers[.connection] ?? "").lowercased().split(separator: ",").contains {
            $0.trimmingPrefix(" ").prefix { $0 != " " } == "close"
        }
    }

    /// Whether the client sends no body before it was asked for it (RFC 9110, section 10.1.1).
    var expectsContinue: Bool { headers[.expect]?.lowercased() == "100-continue" }

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
