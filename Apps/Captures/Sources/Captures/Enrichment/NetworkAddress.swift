import Foundation
import Talaria

/// Addresses that a name leads to, and whether a stranger's page may lead there.
enum NetworkAddress {
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

    /// Returns the host of an address, and the address that its name leads to.
    static func checked(_ url: URL, allowsPrivate: Bool) async throws -> (name: String, address: String) {
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), let name = url.host(),
            !name.isEmpty
        else { throw EnrichmentError.refused("only http and https addresses with a host are fetched") }
        guard url.user() == nil, url.password() == nil else {
            throw EnrichmentError.refused("\(name): an address with a user name or password is not fetched")
        }
        let plain = name.trimmingCharacters(in: ["[", "]"])
        let found = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: lookUp(plain)) }
        }
        guard !found.isEmpty else { throw EnrichmentError.transient("\(name): the host name cannot be resolved") }
        let permitted = allowsPrivate ? found : found.filter(isPublic)
        // One private address among public ones is a trap.
        guard permitted.count == found.count, let first = permitted.first else {
            throw EnrichmentError.refused("\(name) is on a private network or on this machine, and is not fetched")
        }
        return (plain, first)
    }

    /// Returns a separate connection to the very address that a host's name was checked to resolve to.
    static func transport(to url: URL, allowsPrivate: Bool) async throws -> NetworkTransport {
        let (name, address) = try await checked(url, allowsPrivate: allowsPrivate)
        var configuration = NetworkTransport.Configuration()
        configuration.addresses = [name: address]
        return try NetworkTransport(configuration)
    }

    /// Returns whether an address is one of the public internet.
    ///
    /// Source: RFC 6890 with the registries of special-purpose addresses of IANA (2024): neither private nor loopback,
    /// link-local, shared, reserved, for documentation, multicast, or one of these wrapped into IPv6.
    static func isPublic(_ address: String) -> Bool {
        if let four = bytes(address, AF_INET, 4) { return isPublic(four: four) }
        guard let six = bytes(String(address.prefix { $0 != "%" }), AF_INET6, 16) else { return false }
        // IPv4 that is mapped (::ffff:0:0/96), translated (64:ff9b::/96), 6to4 (2002::/16), or in the first 96 bits
        // nothing.
        if six[..<10].allSatisfy({ $0 == 0 }) {
            return six[10] == 0xFF && six[11] == 0xFF && isPublic(four: Array(six[12...]))
        }
        if six.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return isPublic(four: Array(six[12...])) }
        if six.starts(with: [0x20, 0x02]) { return isPublic(four: Array(six[2..<6])) }
        // Teredo, benchmarks, ORCHID and documentation; 2000::/3 is all that is given out.
        if six.starts(with: [0x20, 0x01]), six[2] < 2 || six[2] == 0x0D && six[3] == 0xB8 { return false }
        if six[0] == 0x3F, six[1] == 0xFF { return false }
        return six[0] & 0xE0 == 0x20
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
