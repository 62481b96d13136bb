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
            let job = try client.accepted(try await client.upload())
            _ = try await client.stream(job)
            let path = "/v3/jobs/scans/\(job.jobID)"
            let other = TestServer.otherDevice
            let answers = [
                try await client.send(.get, path, device: other, token: job.token),
                try await client.send(.get, path + "/results", device: other, token: job.token),
                try await client.send(
                    .get,
                    path + "/stream",
                    device: other,
                    token: job.token,
                    accept: "text/event-stream"
                ),
                try await client.send(.delete, path, device: other, token: job.token),
                try await client.send(.delete, path + "/cleanup", device: other, token: job.token),
                try await client.send(.get, "/v3/jobs/scans/..%2f..%2fetc%2fpasswd"),
                try await client.send(.get, "/v3/jobs/scans/'%20OR%201=1--"),
            ]
            for answer in answers {
                #expect(answer.status == .notFound)
                #expect(!answer.text.contains("Dune"))
            }
            #expect(try await client.send(.get, path + "/results", token: job.token).status == .ok)
        }
    }

    @Test func wrongTokenIsUnauthorized() async throws {
        try await TestServer.run { client in
            let job = try client.accepted(try await client.upload())
            let other = try client.accepted(try await client.upload())
            let path = "/v3/jobs/scans/\(job.jobID)/results"
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
        defer { server.remove() }
        let box = DateBox()
        server.now = { box.date }
        try await server.run { client in
            let job = try client.accepted(try await client.upload())
            _ = try await client.stream(job)
            let path = "/v3/jobs/scans/\(job.jobID)/results"
            box.advance(by: 3_599)
            #expect(try await client.send(.get, path, token: job.token).status == .ok)
            box.advance(by: 2)
            #expect(try await client.send(.get, path, token: job.token).status == .unauthorized)
            // An expired token does no harm if the device is enough.
            #expect(try await client.send(.get, "/v3/jobs/scans/\(job.jobID)", token: job.token).status == .ok)
        }
    }

    @Test(arguments: [nil, "", "no uuid", "7b0f0c9e-6a0e-1b57-9d3e-1c2f3a4b5c6d", "'; DROP TABLE job; --"])
    func deviceMustBeAUUIDOfVersion4(_ device: String?) async throws {
        let server = try TestServer()
        defer { server.remove() }
        try await server.run { client in
            let answer = try await client.upload(device: device)
            #expect(answer.status == .badRequest)
            #expect(try answer.problem().code == .invalidRequest)
            #expect(server.pictures.isEmpty)
        }
    }

    @Test(arguments: ["photo", "photos", "photos[0]", "../photos[]", ""])
    func partsMustHaveTheRightName(_ name: String) async throws {
        let server = try TestServer()
        defer { server.remove() }
        try await server.run { client throws in
            #expect(try await client.upload(name: name).status == .badRequest)
            #expect(server.pictures.isEmpty)
        }
    }

    @Test func fileNamesAreNeverUsed() async throws {
        let server = try TestServer()
        defer { server.remove() }
        try await server.run { client in
            for name in ["../../../../tmp/evil", "/etc/passwd", "a\u{0}b", "spine.jpg/../x", "C:\\\\x"] {
                let job = try client.accepted(try await client.upload(fileName: name))
                #expect(try await client.stream(job).last?.name == "completed")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: "/tmp/evil"))
        #expect(server.pictures.isEmpty)
    }

    @Test(arguments: [[], Array("not a picture".utf8), [0xff, 0xd8, 0xff], Array("GIF89a......".utf8)])
    func filesThatAreNoPhotosAreRefused(_ bytes: [UInt8]) async throws {
        let server = try TestServer()
        defer { server.remove() }
        try await server.run { client in
            let answer = try await client.upload([TestServer.photo, bytes])
            #expect(answer.status == .unprocessableContent)
            #expect(try answer.problem().code == .unsupportedFormat)
            #expect(server.pictures.isEmpty)
        }
    }

    @Test func largePhotosAndBatchesAreRefused() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.limits.photoBytes = 1_000
        server.configuration.limits.batchBytes = 2_000
        try await server.run { client in
            let large = try await client.upload([TestServer.photo + [UInt8](repeating: 0, count: 1_000)])
            #expect(large.status == .contentTooLarge)
            #expect(try large.problem().code == .fileTooLarge)
        }
        try await server.run { client in
            // Announced: refused before any of it is read.
            let huge = try await client.upload([[UInt8](repeating: 0, count: 200_000)])
            #expect(huge.status == .contentTooLarge)
        }
        #expect(server.pictures.isEmpty)
    }

    @Test func bodiesThatAreNoFormsAreRefused() async throws {
        let server = try TestServer()
        defer { server.remove() }
        try await server.run { client in
            let form = ["Content-Type": "multipart/form-data; boundary=XX"]
            let cases: [([String: String], String)] = [
                ([:], "x"), (["Content-Type": "image/jpeg"], "x"), (["Content-Type": "multipart/form-data"], "x"),
                (form, ""), (form, "x"), (form, "--XX--\r\n"),
                (form, "--XX\r\nContent-Disposition: form-data; name=\"photos[]\"\r\n\r\nabc"),
                (form, "--XX\r\nno header\r\n\r\nabc\r\n--XX--"),
                (form, "--XX\r\n" + String(repeating: "A: b\r\n", count: 2_000) + "\r\n\r\n--XX--"),
            ]
            for (headers, body) in cases {
                let answer = try await client.send(
                    .post,
                    "/v3/jobs/scans",
                    headers: headers,
                    body: Array(body.utf8)
                )
                #expect(answer.status == .badRequest, "\(body.prefix(40))")
            }
            #expect(server.pictures.isEmpty)
        }
    }

    @Test func streamNeedsItsAcceptHeader() async throws {
        try await TestServer.run { client in
            let job = try client.accepted(try await client.upload())
            for accept in [nil, "*/*", "application/json"] {
                let answer = try await client.send(
                    .get,
                    "/v3/jobs/scans/\(job.jobID)/stream",
                    token: job.token,
                    accept: accept
                )
                #expect(answer.status == .badRequest)
                #expect(try answer.problem().code == .invalidAcceptHeader)
            }
        }
    }

    @Test func unknownAddressesAndMethodsAreProblems() async throws {
        try await TestServer.run { client in
            let nowhere = try await client.client.send(.get, "/nowhere")
            #expect(nowhere.status == .notFound)
            #expect(nowhere.headers[.contentType] == "application/problem+json")
            let long = try await client.send(.get, "/v3/books/search?q=" + String(repeating: "a", count: 9_000))
            #expect(long.status == .uriTooLong)
        }
    }

    @Test func logsHoldNothingThatWasRead() async throws {
        var server = try TestServer()
        defer { server.remove() }
        let marker = "Zyxmarker"
        let lines = LogLines()
        server.log = ServerLog(from: .trace, asJSON: true) { lines.append($0) }
        struct Quoting: Error, CustomStringConvertible { var description: String }
        server.reader = PhotoReader { _, name in
            if name == "photo 1" { throw Quoting(description: marker) }
            return PhotoText(lines: [RemoteLine(text: marker), RemoteLine(text: "Jane \(marker)")])
        }
        try await server.run { client in
            let job = try client.accepted(
                try await client.upload([TestServer.photo, TestServer.photo], fileName: "\(marker).jpg")
            )
            #expect(try await client.stream(job).contains { $0.data.contains(marker) })
            #expect(try await client.enrich("\(marker)\nby \(marker)").status == .ok)
            _ = try await client.send(.get, "/v3/books/search?q=\(marker)")
            _ = try await client.send(
                .post,
                "/v3/jobs/enrich",
                body: Array("{\"raw_text\": \"\(marker)\", \"device_id\": 3}".utf8)
            )
        }
        #expect(lines.all.contains("\"route\":\"/v3/jobs/scans\""))
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
