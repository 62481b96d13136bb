/// Place of an object, or of all whose keys begin with it and a slash, in a store that speaks S3: "s3://bucket/key".
package struct ObjectAddress: Sendable, Hashable, CustomStringConvertible {
    static let scheme = "s3://"

    var bucket: String
    /// Key without percent-encoding; empty for the whole bucket.
    var key: String

    static func isAddress(_ path: String) -> Bool { path.hasPrefix(scheme) }

    /// Address of a text, with or without slashes at its end.
    package init(_ text: String) throws(ObjectStoreError) {
        let rest = text.dropFirst(Self.isAddress(text) ? Self.scheme.count : 0)
        bucket = String(rest.prefix { $0 != "/" })
        let isName = bucket.utf8.allSatisfy { $0.isUnreserved && $0 != UInt8(ascii: "~") }
        guard Self.isAddress(text), !bucket.isEmpty, bucket.utf8.count <= 255, isName else {
            throw ObjectStoreError(.usage, text, "has no bucket; expected s3://BUCKET/PREFIX")
        }
        var key = rest.dropFirst(bucket.count + 1)
        while key.hasSuffix("/") { key.removeLast() }
        self.key = String(key)
    }

    package func appending(_ name: String) -> ObjectAddress {
        var address = self
        address.key = key.isEmpty ? name : "\(key)/\(name)"
        return address
    }

    package var description: String { "\(Self.scheme)\(bucket)\(key.isEmpty ? "" : "/")\(key)" }

    /// Returns a path in the form of a request's first line and its signature: every byte but letters, digits, "-",
    /// ".", "_", "~" and "/" as "%" and two digits, capital ones.
    static func encoded(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = path.utf8.flatMap { byte in
            byte.isUnreserved || byte == UInt8(ascii: "/")
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// RFC 3986, section 2.3.
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(self)
        }
    }
}

package struct ObjectStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        case usage
        case missing
        /// The keys, the region or the permission are wrong.
        case refused
        /// The object is another one than before.
        case changed
        case tooLarge
        /// The store is not there, or does not answer as one.
        case unreachable
    }

    var kind: Kind
    var place: String
    /// Problem, and its solution.
    var problem: String

    init(_ kind: Kind, _ place: String, _ problem: String) {
        (self.kind, self.place, self.problem) = (kind, place, problem)
    }

    /// Whether trying again later may help.
    var mayPass: Bool { kind == .unreachable }

    package var description: String { "\(place): \(problem)" }
}
