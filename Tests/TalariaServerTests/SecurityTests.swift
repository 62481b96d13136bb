import Foundation
import HTTPTypes
import ServerSupport
import Synchronization
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns) struct SecurityTests {
    @Test func otherDevicesJobIsNotFound() async throws {
        try await TestServer.run { client in
            let job = try await client.job()
            _ = try await client.stream(job)
            for (method, path) in [
                (HTTPRequest.Method.get, job.path), (.get, "\(job.path)/results"), (.get, "\(job.path)/stream"),
                (.delete, job.path), (.delete, "\(job.path)/cleanup"),
                (.get, "/v3/jobs/scans/..%2f..%2fetc%2fpasswd"), (.get, "/v3/jobs/scans/'%20OR%201=1--"),
            ] {
                let answer = try await client.send(
                    method,
                    path,
                    device: TestServer.otherDevice,
                    token: job.token,
                    accept: "text/event-stream"
                )
                #expect(answer.status == .notFound)
                #expect(!answer.text.contains("Dune"))
            }
            #expect(try await client.get("/results", of: job).status == .ok)
        }
    }

    @Test func wrongTokenIsUnauthorized() async throws {
        try await TestServer.run { client in
            let job = try await client.job()
            let other = try await client.job()
            let path = "\(job.path)/results"
            for token in [nil, "", "0", String(repeating: "0", count: 64), other.token] {
                let answer = try await client.send(.get, path, token: token)
                #expect(answer.status == .unauthorized)
                #expect(answer.headers[.wwwAuthenticate] == "Bearer")
                #expect(try answer.problem().code == .unauthorized)
            }
            let basic = try await client.send(.get, path, headers: ["Authorization": "Basic \(job.token ?? "")"])
            #expect(basic.status == .unauthorized)
        }
    }

    @Test func tokenExpiresAfterAnHour() async throws {
        var server = try TestServer()
        let box = DateBox()
        server.now = { box.date }
        try await server.run { client in
            let job = try await client.job()
            _ = try await client.stream(job)
            box.advance(by: 3_599)
            #expect(try await client.get("/results", of: job).status == .ok)
            box.advance(by: 2)
            #expect(try await client.get("/results", of: job).status == .unauthorized)
            // An expired token does no harm if the device is enough.
            #expect(try await client.get(of: job).status == .ok)
        }
    }

    @Test(arguments: [nil, "", "no uuid", "7b0f0c9e-6a0e-1b57-9d3e-1c2f3a4b5c6d", "'; DROP TABLE job; --"])
    func deviceMustBeAUUIDOfVersion4(_ device: String?) async throws {
        try await expect(.badRequest, .invalidRequest) { try await $0.upload(device: device) }
    }

    @Test(arguments: ["photo", "photos", "photos[0]", "../photos[]", ""])
    func partsMustHaveTheRightName(_ name: String) async throws {
        try await expect(.badRequest, .invalidRequest) { try await $0.upload(name: name) }
    }

    @Test(arguments: [[], Array("not a picture".utf8), [0xff, 0xd8, 0xff], Array("GIF89a......".utf8)])
    func filesThatAreNoPhotosAreRefused(_ bytes: [UInt8]) async throws {
        try await expect(.unprocessableContent, .unsupportedFormat) {
            try await $0.upload([TestServer.photo, bytes])
        }
    }

    /// Expects the refusal of an upload, of which nothing is kept.
    private func expect(
        _ status: HTTPResponse.Status,
        _ code: ErrorCode,
        _ upload: @escaping @Sendable (ServerClient) async throws -> TestClient.Response
    ) async throws {
        var server = try TestServer()
        server.limits.photoBytes = 1_000
        server.limits.batchBytes = 2_000
        try await server.run { client in
            let answer = try await upload(client)
            #expect(answer.status == status)
            #expect(try answer.problem().code == code)
            #expect(try await client.pictures() == 0)
        }
    }

    @Test func fileNamesAreNeverUsed() async throws {
        try await TestServer.run { client in
            for name in ["../../../../tmp/evil", "/etc/passwd", "a\u{0}b", "spine.jpg/../x", "C:\\\\x"] {
                let job = try client.accepted(try await client.upload(fileName: name))
                #expect(try await client.stream(job).last?.name == "completed")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: "/tmp/evil"))
    }

    /// The second is refused by its announced length, before any of it is read.
    @Test(arguments: [TestServer.photo + [UInt8](repeating: 0, count: 1_000), [UInt8](repeating: 0, count: 200_000)])
    func largePhotosAndBatchesAreRefused(_ photo: [UInt8]) async throws {
        try await expect(.contentTooLarge, .fileTooLarge) { try await $0.upload([photo]) }
    }

    @Test func bodiesThatAreNoFormsAreRefused() async throws {
        try await TestServer.run { client in
            let form = ["Content-Type": "multipart/form-data; boundary=XX"]
            let cases: [([String: String], String)] = [
                ([:], "x"), (["Content-Type": "image/jpeg"], "x"), (["Content-Type": "multipart/form-data"], "x"),
                (form, ""), (form, "x"), (form, "--XX--\r\n"),
                (form, "--XX\r\nContent-Disposition: form-data; name=\"photos[]\"\r\n\r\nabc"),
                (form, "--XX\r\nno header\r\n\r\nabc\r\n--XX--"),
            ]
            for (headers, body) in cases {
                let answer = try await client.send(.post, "/v3/jobs/scans", headers: headers, body: Array(body.utf8))
                #expect(answer.status == .badRequest, "\(body.prefix(40))")
            }
            #expect(try await client.pictures() == 0)
        }
    }

    @Test func streamNeedsItsAcceptHeader() async throws {
        try await TestServer.run { client in
            let job = try await client.job()
            for accept in [nil, "*/*", "application/json"] {
                let answer = try await client.send(.get, "\(job.path)/stream", token: job.token, accept: accept)
                #expect(answer.status == .badRequest)
                #expect(try answer.problem().code == .invalidAcceptHeader)
            }
        }
    }

    @Test func logsHoldNothingThatWasRead() async throws {
        var server = try TestServer()
        let (lines, marker) = (server.keepLog(), "Zyxmarker")
        struct Quoting: Error, CustomStringConvertible { var description: String }
        server.reader = PhotoReader { _, name in
            if name == "photo 1" { throw Quoting(description: marker) }
            return [SpineText(lines: [RemoteLine(text: marker), RemoteLine(text: "Jane \(marker)")])]
        }
        try await server.run { client in
            let job = try client.accepted(
                try await client.upload([TestServer.photo, TestServer.photo], fileName: "\(marker).jpg")
            )
            #expect(try await client.stream(job).contains { $0.text.contains(marker) })
            #expect(try await client.enrich("\(marker)\nby \(marker)").status == .ok)
            _ = try await client.send(.get, "/v3/books/search?q=\(marker)")
            _ = try await client.send(
                .post,
                "/v3/jobs/enrich",
                body: Array("{\"raw_text\": \"\(marker)\", \"device_id\": 3}".utf8)
            )
        }
        #expect(lines.all.contains("route=/v3/jobs/scans status=202"))
        #expect(!lines.all.contains(marker))
    }
}

/// A clock's date that tests move.
final class DateBox: Sendable {
    private let state = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    var date: Date { state.withLock { $0 } }
    func advance(by seconds: Double) { state.withLock { $0 += seconds } }
}

/// Everything that was logged.
final class LogLines: Sendable {
    private let text = Mutex("")

    func append(_ line: String) { text.withLock { $0 += line } }
    var all: String { text.withLock { $0 } }
}
