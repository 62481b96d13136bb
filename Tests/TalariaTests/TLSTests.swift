import Foundation
import TestSupport
import Testing

@testable import Talaria

@Suite(.inTurns, .endsWhatHangs) struct TLSTests {
    private func file(_ name: String) throws -> URL {
        try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil))
    }

    /// Returns a file that `Fixtures/make.sh` made.
    private func fixture(_ name: String) throws -> String { try String(contentsOf: file(name), encoding: .utf8) }

    /// Runs a program that ends TLS in front of a server, with this certificate, until it is released.
    private func front(_ certificate: String, of server: URL) throws -> (process: Process, input: Pipe, url: URL) {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            try ["python3", file("tls.py").path, file(certificate).path, file("server.key").path]
            + ["\(server.port ?? 0)"]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let text = "https://localhost:\(port.trimmingCharacters(in: .newlines))"
        return (process, input, try #require(URL(string: text), "tls.py printed '\(port)' as its port"))
    }

    /// Returns the pin of the server's key, or of the one of another.
    private func pin(_ name: String) throws -> CertificatePin {
        try CertificatePin(base64: fixture("\(name).pin").trimmingCharacters(in: .newlines))
    }

    /// Searches for something at a server with this certificate.
    private func search(
        _ certificate: String,
        _ trust: NetworkTransport.Configuration
    ) async throws -> (result: Result<Int, any Error>, requests: Int, transfer: Transfer?, plainBytes: Int) {
        try await LoopbackServer.serve { _, reply in
            try await reply.answer(200, #"{"books":[{"title":"T"}]}"#)
        } test: { plain, server in
            let (process, input, url) = try front(certificate, of: plain)
            defer {
                try? input.fileHandleForWriting.close()
                process.waitUntilExit()
            }
            let transport = try NetworkTransport(trust)
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
            return (result, server.requests.count, ledger.transfers.first, server.bytes.received)
        }
    }

    private func error(_ result: Result<Int, any Error>) -> TalariaError? {
        if case .failure(let error) = result { error as? TalariaError } else { nil }
    }

    @Test(arguments: [true, false]) func aTrustedAuthorityAndOneOfThePinsAreEnough(_ hasPins: Bool) async throws {
        let pins = hasPins ? [try pin("stranger"), try pin("server")] : []
        let (result, _, transfer, plain) = try await search(
            "localhost.pem",
            .init(pins: pins, trustedRoots: [try fixture("root.pem")])
        )
        #expect(try result.get() == 1)
        // Bytes are counted at the socket: a TLS record has at least a header of 5 bytes and a tag of 16 more than
        // its contents.
        #expect(try #require(transfer).bytesUp >= plain + 21)
    }

    @Test func anotherKeyIsRefusedBeforeAnythingIsSent() async throws {
        let (result, requests, transfer, _) = try await search(
            "localhost.pem",
            .init(pins: [try pin("stranger")], trustedRoots: [try fixture("root.pem")])
        )
        #expect(error(result) == .wrongPin(host: "localhost", found: try pin("server").base64))
        #expect(error(result)?.isRetryable == false)
        #expect(requests == 0)
        #expect(transfer?.bytesUp == 0)
    }

    @Test(arguments: ["expired", "another-host", "unknown-authority"])
    func thePinDoesNotStandInForACertificate(_ fault: String) async throws {
        let name = ["expired", "another-host"].contains(fault) ? fault : "localhost"
        let root = try fixture(fault == "unknown-authority" ? "stranger.pem" : "root.pem")
        let (result, requests, _, _) = try await search(
            "\(name).pem",
            .init(pins: [try pin("server")], trustedRoots: [root])
        )
        guard case .untrusted(host: "localhost", _) = error(result) else {
            return unexpected(result)
        }
        #expect(requests == 0)
    }

    @Test func pinsAreForTLSOnly() async throws {
        let transport = try NetworkTransport(.init(pins: [try pin("stranger")]))
        let url = try #require(URL(string: "http://localhost/"))
        let error = await #expect(throws: TalariaError.self) {
            try await transport.send(TransportRequest(method: .get, url: url), meter: TransferMeter())
        }
        guard case .badConfiguration = error else { return unexpected(error) }
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
        #expect(throws: TalariaError.self) { try NetworkTransport(.init(trustedRoots: ["-----BEGIN"])) }
    }
}
