import Testing

@testable import Captures

/// Permitted addresses of an untrusted page.
@Suite struct AddressTests {
    /// Source: RFC 6890 and the registries of special-purpose addresses of IANA.
    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.8.8.8", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1",
        "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1",
        "::ffff:127.0.0.1", "::ffff:192.168.1.1", "::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1",
        "2001::1", "2001:2::1", "2001:10::1", "2001:db8::1", "2002:a00:1::", "2002:7f00:1::", "3fff::1", "5f00::1",
        "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%lo", "ff02::1", "", "example.org", "1.2.3", "0x7f.1",
    ])
    func noPrivateOne(address: String) { #expect(!NetworkAddress.isPublic(address)) }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
        "192.0.1.1", "192.169.0.1", "198.17.255.255", "198.20.0.0", "223.255.255.255", "::ffff:8.8.8.8",
        "64:ff9b::808:808", "2002:808:808::", "2001:4860:4860::8888", "2606:4700::1111", "2a00:1450::1",
    ])
    func publicOnes(address: String) { #expect(NetworkAddress.isPublic(address)) }

    @Test func anAddressIsItsOwnName() {
        #expect(NetworkAddress.lookUp("127.0.0.1") == ["127.0.0.1"])
        #expect(NetworkAddress.lookUp("::1") == ["::1"])
        // Other ways to write it, which a check of text alone would let pass.
        #expect(NetworkAddress.lookUp("0x7f000001").allSatisfy { !NetworkAddress.isPublic($0) })
        #expect(NetworkAddress.lookUp("2130706433").allSatisfy { !NetworkAddress.isPublic($0) })
    }
}
