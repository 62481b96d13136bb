import Foundation
import Testing

@testable import Basics

/// Keys, the signature and the message are those of `openssl ecparam`, `ec`, `genpkey` and `dgst -sha256 -sign` (3.0.19).
@Suite struct SigningKeyTests {
    private static let text =
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEmRMSFY5XE2jv7qDmfTkDc2SBLNmT8Cca1yXQrJQwpuz8MMdBx7q5LiT3rID4nTlha7wtcCeQZS91HoKAplovkA=="
    private static let other =
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPm2in1zcgOukbunUBGa08KDxOqFLwK8uVigfdsAl2Co1AiHh7sxtzV7SazpMbhAujXNZfwlTyrYZWinehW6ZSw=="
    private static let signature =
        "MEYCIQClLfT8AXpMPFzGZZGl/R+pRJ3ERmSThzgJGapGaUYcewIhAJzymUzCmLbp5Gz1ktiVsD4/TA2wmPR3zJsa1KrxJ8fg"

    @Test func aSignatureIsThatOfItsKeyAndMessage() throws {
        let key = try #require(SigningKey(Self.text))
        let signature = try #require(Data(base64Encoded: Self.signature))
        #expect(key.verifies(signature, of: Data("hello\n".utf8)))
        #expect(!key.verifies(signature, of: Data("hallo\n".utf8)) && !key.verifies(signature, of: Data()))
        #expect(try #require(SigningKey(Self.other)).verifies(signature, of: Data("hello\n".utf8)) == false)
        for damaged in [signature.dropLast(), signature.dropFirst(), signature + [0], Data()] {
            #expect(!key.verifies(Data(damaged), of: Data("hello\n".utf8)))
        }
    }

    /// Keys of P-384 and of Ed25519, a P-256 point that is not on the curve, and no key at all.
    @Test func onlyPublicKeysForP256AreKeys() throws {
        let strangers = [
            "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEcRiHC0WrlRlapYKFmt1gfoBbCJ7+nFJ/Op02xx+UgXz00+vlxfkY4WTSrvT0Paxsf1AbVyO3fIk88YjY1xWKWskBn0zwlxH4STbZEQ/Fkvq8gC0zLpd6cLlEOBO8gW3G",
            "MCowBQYDK2VwAyEA+ueZAsdYn55EiCnXWmfi4TL8aVg2G48/3X4rgX2nTTg=", "", "-----BEGIN PUBLIC KEY-----", "MFkw",
        ]
        for text in strangers { #expect(SigningKey(text) == nil, "\(text)") }
        let bent = Self.text.replacing("vkA==", with: "vkQ==")
        let signature = try #require(Data(base64Encoded: Self.signature))
        #expect(SigningKey(bent)?.verifies(signature, of: Data("hello\n".utf8)) == false)
    }
}
