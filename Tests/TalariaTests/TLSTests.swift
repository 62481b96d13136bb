import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import Talaria

@Suite(.inTurns, .endsWhatHangs) struct TLSTests {
    /// An authority that lasts for one test.
    private struct Authority {
        let key = P256.Signing.PrivateKey()
        let name: DistinguishedName

        init() throws { name = try DistinguishedName { CommonName("Test Authority") } }

        func root() throws -> String { try certificate(for: key, subject: name, isAuthority: true, host: nil) }

        /// A server's certificate, PEM.
        func leaf(_ key: P256.Signing.PrivateKey, host: String = "localhost", expired: Bool = false) throws -> String {
            let subject = try DistinguishedName { CommonName(host) }
            return try certificate(for: key, subject: subject, isAuthority: false, host: host, expired: expired)
        }

        private func certificate(
            for subjectKey: P256.Signing.PrivateKey,
            subject: DistinguishedName,
            isAuthority: Bool,
            host: String?,
            expired: Bool = false
        ) throws -> String {
            let now = Date()
            let certificate = try Certificate(
                version: .v3,
                serialNumber: .init(),
                publicKey: .init(subjectKey.publicKey),
                notValidBefore: now - 7200,
                notValidAfter: expired ? now - 3600 : now + 3600,
                issuer: name,
                subject: subject,
                extensions: try Certificate.Extensions {
                    if isAuthority {
                        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    } else {
                        Critical(BasicConstraints.notCertificateAuthority)
                    }
                    if let host { SubjectAlternativeNames([.dnsName(host)]) }
                },
                issuerPrivateKey: .init(key)
            )
            return try certificate.serializeAsPEM().pemString
        }
    }

    private func context(_ certificate: String, _ key: P256.Signing.PrivateKey) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map(NIOSSLCertificateSource.certificate)
        let source = try NIOSSLPrivateKeySource.privateKey(
            NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)
        )
        return try NIOSSLContext(configuration: .makeServerConfiguration(certificateChain: chain, privateKey: source))
    }

    private func pin(of key: P256.Signing.PrivateKey) -> CertificatePin {
        CertificatePin(subjectPublicKeyInfo: [UInt8](key.publicKey.derRepresentation))
    }

    /// Searches for something at a server with this certificate.
    private func search(
        _ certificate: String,
        _ key: P256.Signing.PrivateKey,
        _ trust: AsyncHTTPTransport.Configuration
    ) async throws -> (result: Result<Int, any Error>, requests: Int, transfer: Transfer?, plainBytes: Int) {
        try await LoopbackServer.serve(tls: try context(certificate, key)) { _, reply in
            try await reply.answer(200, #"{"books":[{"title":"T"}]}"#)
        } test: { url, server in
            let transport = try AsyncHTTPTransport(trust)
            let ledger = ClientFixture.Ledger()
            let client = TalariaClient(
                configuration: ClientConfiguration(baseURL: url, deviceID: device, retry: .never),
                transport: transport,
                onTransfer: ledger.add
            )
            let result: Result<Int, any Error>
            do {
                result = .success(try await client.searchBooks("x").count)
            } catch {
                result = .failure(error)
            }
            try await transport.shutdown()
            return (result, server.requests.count, ledger.transfers.first, server.bytes.received)
        }
    }

    private func error(_ result: Result<Int, any Error>) -> TalariaError? {
        if case .failure(let error) = result { error as? TalariaError } else { nil }
    }

    @Test func oneOfThePinsIsEnough() async throws {
        let authority = try Authority()
        let key = P256.Signing.PrivateKey()
        let (result, _, transfer, plain) = try await search(
            try authority.leaf(key),
            key,
            .init(pins: [pin(of: P256.Signing.PrivateKey()), pin(of: key)], trustedRoots: [try authority.root()])
        )
        #expect(try result.get() == 1)
        // Counted at the socket: a TLS record has at least a header of 5 bytes and a tag of 16 more than what is in it.
        #expect(try #require(transfer).bytesUp >= plain + 21)
    }

    @Test func anotherKeyIsRefusedBeforeAnythingIsSent() async throws {
        let authority = try Authority()
        let key = P256.Signing.PrivateKey()
        let (result, requests, transfer, _) = try await search(
            try authority.leaf(key),
            key,
            .init(pins: [pin(of: P256.Signing.PrivateKey())], trustedRoots: [try authority.root()])
        )
        #expect(error(result) == .wrongPin(host: "localhost", found: pin(of: key).base64))
        #expect(error(result)?.isRetryable == false)
        #expect(requests == 0)
        #expect(transfer?.bytesUp == 0)
    }

    @Test(arguments: ["expired", "another host", "unknown authority"])
    func thePinDoesNotStandInForACertificate(_ fault: String) async throws {
        let authority = try Authority()
        let key = P256.Signing.PrivateKey()
        let leaf = try authority.leaf(
            key,
            host: fault == "another host" ? "other.example" : "localhost",
            expired: fault == "expired"
        )
        let root = fault == "unknown authority" ? try Authority().root() : try authority.root()
        let (result, requests, _, _) = try await search(leaf, key, .init(pins: [pin(of: key)], trustedRoots: [root]))
        guard case .untrusted(host: "localhost", _) = error(result) else {
            Issue.record("\(result)")
            return
        }
        #expect(requests == 0)
    }

    @Test func withoutPinsATrustedAuthorityIsEnough() async throws {
        let authority = try Authority()
        let key = P256.Signing.PrivateKey()
        let (result, _, _, _) = try await search(
            try authority.leaf(key),
            key,
            .init(trustedRoots: [try authority.root()])
        )
        #expect(try result.get() == 1)
    }

    @Test func pinsAreForTLSOnly() async throws {
        try await LoopbackServer.serve { _, reply in
            try await reply.answer(200, #"{"books":[]}"#)
        } test: { url, server in
            let transport = try AsyncHTTPTransport(.init(pins: [pin(of: P256.Signing.PrivateKey())]))
            let client = TalariaClient(
                configuration: ClientConfiguration(baseURL: url, deviceID: device),
                transport: transport
            )
            let error = await #expect(throws: TalariaError.self) { try await client.searchBooks("x") }
            guard case .badConfiguration = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(server.requests.isEmpty)
            try await transport.shutdown()
        }
    }

    /// The pin is that of `openssl dgst -sha256 -binary | base64` over the key in DER.
    @Test func aPinIsTheDigestOfTheKey() throws {
        let key =
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEhhuW4OflvEt7MWPqCPeB3RhuSAyTDq603xAAMZ5EyV8E8ZTcwf3VpHI22i5tCvW5"
            + "R4QM0de1WQiGiKic/GTTXg=="
        let digest = "k52GLXgJwFqTyOwf8VOlA2zsROBrJlvhhPx49x/cVMM="
        let bytes = [UInt8](try #require(Data(base64Encoded: key)))
        #expect(CertificatePin(subjectPublicKeyInfo: bytes).base64 == digest)
        #expect(try CertificatePin(base64: digest) == CertificatePin(subjectPublicKeyInfo: bytes))
        for text in ["", "sha256/\(digest)", "AAAA", "not base64!"] {
            #expect(throws: TalariaError.self) { try CertificatePin(base64: text) }
        }
    }

    @Test func aRootThatIsNoCertificateIsAnError() {
        #expect(throws: TalariaError.self) { try AsyncHTTPTransport(.init(trustedRoots: ["-----BEGIN"])) }
    }
}
