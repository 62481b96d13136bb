import Foundation
import Talaria

/// Addresses that a name leads to, and whether a stranger's page may lead there.
enum NetworkAddress {
    enum Rule: Sendable {
        /// The public internet.
        case open
        /// Private networks and this machine, too; where a server leads, none that is link-local, as those of clouds
        /// answer with keys.
        case mayBePrivate, mayLeadToPrivate

        func permits(_ address: String) -> Bool {
            switch self {
            case .open: isPublic(address)
            case .mayBePrivate: true
            case .mayLeadToPrivate: !isLinkLocal(address)
            }
        }
    }

    /// Returns the addresses of a host, in the system's order, as text.
    ///
    /// Blocks: to be called where that does no harm.
    static func lookUp(_ host: String) -> [String] {
        var hints = addrinfo()
        #if canImport(Darwin)
        hints.ai_socktype = SOCK_STREAM
        #else
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [String] = []
        var next = list
        while let entry = next {
            var room = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let (address, length) = (entry.pointee.ai_addr, entry.pointee.ai_addrlen)
            if getnameinfo(address, length, &room, socklen_t(room.count), nil, 0, NI_NUMERICHOST) == 0 {
                found.append(String(decoding: room.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
            }
            next = entry.pointee.ai_next
        }
        return found
    }

    /// Returns a separate connection to the very address that a host's name was checked to resolve to.
    static func transport(to url: URL, by rule: Rule) async throws -> NetworkTransport {
        guard ["http", "https"].contains(url.scheme?.lowercased()), let name = url.host(), !name.isEmpty else {
            throw EnrichmentError.refused("only http and https addresses with a host are fetched")
        }
        guard url.user() == nil, url.password() == nil else {
            throw EnrichmentError.refused("\(name): an address with a user name or password is not fetched")
        }
        let plain = name.trimmingCharacters(in: ["[", "]"])
        let found = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: lookUp(plain)) }
        }
        guard let first = found.first else { throw EnrichmentError.busy("\(name): the host name cannot be resolved") }
        // One private address among public ones is a trap.
        guard found.allSatisfy(rule.permits) else {
            throw EnrichmentError.refused("\(name) is on a private network or on this machine, and is not fetched")
        }
        var configuration = NetworkTransport.Configuration()
        configuration.addresses = [plain: first]
        return try NetworkTransport(configuration)
    }

    /// Returns whether an address is one of the public internet.
    ///
    /// Source: RFC 6890 with the registries of special-purpose addresses of IANA (2024): neither private nor loopback,
    /// link-local, shared, reserved, for documentation, multicast, or one of these wrapped into IPv6.
    static func isPublic(_ address: String) -> Bool {
        if let four = four(in: address) { return isPublic(four: four) }
        guard let six = six(in: address) else { return false }
        // Teredo, benchmarks, ORCHID and documentation; 2000::/3 is all that is given out.
        if six.starts(with: [0x20, 0x01]), six[2] < 2 || six[2] == 0x0D && six[3] == 0xB8 { return false }
        if six[0] == 0x3F, six[1] == 0xFF { return false }
        return six[0] & 0xE0 == 0x20
    }

    /// Returns whether an address is one of the link (169.254.0.0/16, fe80::/10), or wraps one.
    static func isLinkLocal(_ address: String) -> Bool {
        if let four = four(in: address) { return four.starts(with: [169, 254]) }
        return six(in: address).map { $0[0] == 0xFE && $0[1] & 0xC0 == 0x80 } ?? true
    }

    private static func six(in address: String) -> [UInt8]? {
        bytes(String(address.prefix { $0 != "%" }), AF_INET6, 16)
    }

    /// Returns the IPv4 address that an address is, or that is wrapped into IPv6: mapped (::ffff:0:0/96), translated
    /// (64:ff9b::/96) or 6to4 (2002::/16).
    private static func four(in address: String) -> [UInt8]? {
        if let four = bytes(address, AF_INET, 4) { return four }
        guard let six = six(in: address) else { return nil }
        let zeros = [UInt8](repeating: 0, count: 10)
        if six.starts(with: zeros + [0xFF, 0xFF]) || six.starts(with: [0, 0x64, 0xFF, 0x9B] + zeros.prefix(8)) {
            return Array(six[12...])
        }
        return six.starts(with: [0x20, 0x02]) ? Array(six[2..<6]) : nil
    }

    private static func isPublic(four a: [UInt8]) -> Bool {
        switch (a[0], a[1], a[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (169, 254, _), (172, 16...31, _), (192, 168, _): false
        case (100, 64...127, _), (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _), (198, 51, 100),
            (203, 0, 113):
            false
        case (224..., _, _): false
        default: true
        }
    }

    private static func bytes(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
