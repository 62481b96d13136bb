import Foundation
import HTTPTypes
import ServerSupport
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns) struct AdmissionTests {
    @Test func windowIsOfOneDeviceAndEnds() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.rateLimits.enrichments = 2
        let clock = DateBox()
        server.now = { clock.date }
        try await server.run { client in
            let first = try await client.enrich("Dune")
            #expect(first.headers[.rateLimit] == "2")
            #expect(first.headers[.rateLimitRemaining] == "1")
            #expect(first.headers[.rateLimitReset] == "1800000060")
            #expect(try await client.enrich("Dune").status == .ok)
            clock.advance(by: 20)
            let refused = try await client.enrich("Dune")
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "41")
            let problem = try refused.problem()
            #expect(problem.code == .rateLimitExceeded)
            #expect(problem.retryAfterMs == 40_001)
            #expect(problem.isRetryable == true)
            // Scans and other devices have windows of their own.
            #expect(try await client.upload().status == .accepted)
            clock.advance(by: 40)
            #expect(try await client.enrich("Dune").status == .ok)
        }
    }

    @Test func restartDoesNotForgetTheWindow() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.rateLimits.scans = 1
        server.now = { Date(timeIntervalSince1970: 1_800_000_000) }
        try await server.run { client throws in #expect(try await client.upload().status == .accepted) }
        try await server.run { client throws in
            #expect(try await client.upload().status == .tooManyRequests)
            #expect(try await client.upload(device: TestServer.otherDevice).status == .accepted)
        }
    }

    @Test func fullQueueRefusesWithATime() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.queueLimit = 2
        let gate = server.holdReader()
        try await server.run { client in
            defer { gate.open() }
            var jobs: [ScanAccepted] = []
            for _ in 0..<3 { jobs.append(try client.accepted(try await client.upload())) }
            let refused = try await client.upload()
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "1")
            #expect(try refused.problem().code?.rawValue == "QUEUE_FULL")
            gate.open()
            for job in jobs { #expect(try await client.stream(job).last?.name == "completed") }
            #expect(try await client.upload().status == .accepted)
        }
    }

    @Test func sameRequestTwiceIsOneJob() async throws {
        let server = try TestServer()
        defer { server.remove() }
        try await server.run { client in
            let key = ["Idempotency-Key": "a-1"]
            let first = try await client.upload(headers: key)
            let second = try await client.upload(headers: key)
            let (one, two) = (try client.accepted(first), try client.accepted(second))
            #expect(one.jobID == two.jobID)
            #expect(first.headers[.idempotencyReplayed] == nil)
            #expect(second.headers[.idempotencyReplayed] == "true")
            // Both tokens are good: the first was not kept in the clear.
            for job in [one, two] { #expect(try await client.stream(job).last?.name == "completed") }
            let other = try await client.upload([TestServer.photo, TestServer.photo], headers: key)
            #expect(other.status == .unprocessableContent)
            #expect(try await client.upload(device: TestServer.otherDevice, headers: key).status == .accepted)
            let long = ["Idempotency-Key": String(repeating: "k", count: 256)]
            #expect(try await client.upload(headers: long).status == .badRequest)
        }
        #expect(server.pictures.isEmpty)
    }

    @Test func aFailureThatMayPassGivesItsKeyBack() async throws {
        var server = try TestServer()
        defer { server.remove() }
        let gate = server.holdReader()
        let files = server
        try await server.run { client in
            _ = try client.accepted(try await client.upload())
            await gate.untilWaiting(1)
            let key = ["Idempotency-Key": "a-1"]
            let first = try client.accepted(try await client.upload(headers: key))
            try FileManager.default.removeItem(atPath: "\(files.pictureFolder)/\(first.jobID)")
            gate.open()
            #expect(try await client.stream(first).last?.name == "failed")
            let second = try client.accepted(try await client.upload(headers: key))
            #expect(second.jobID != first.jobID)
            #expect(try await client.stream(second).last?.name == "completed")
            #expect(try client.accepted(try await client.upload(headers: key)).jobID == second.jobID)
        }
    }

    @Test func aFailureThatIsFinalKeepsItsKey() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.reader = PhotoReader { _, _ in PhotoText(lines: []) }
        try await server.run { client in
            let key = ["Idempotency-Key": "a-1"]
            let first = try client.accepted(try await client.upload(headers: key))
            #expect(try await client.stream(first).last?.name == "failed")
            #expect(try client.accepted(try await client.upload(headers: key)).jobID == first.jobID)
        }
    }

    @Test func aCanceledJobInLineGivesItsPlaceBack() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.queueLimit = 1
        let gate = server.holdReader()
        try await server.run { client in
            defer { gate.open() }
            _ = try client.accepted(try await client.upload())
            await gate.untilWaiting(1)
            let second = try client.accepted(try await client.upload())
            #expect(try await client.upload().status == .tooManyRequests)
            #expect(try await client.send(.delete, "/v3/jobs/scans/\(second.jobID)").status == .ok)
            let third = try client.accepted(try await client.upload())
            #expect(try await client.upload().status == .tooManyRequests)
            gate.open()
            #expect(try await client.stream(third).last?.name == "completed")
            try await until { client.server.queue.photos == 0 }
        }
    }

    @Test func manyDevicesAtOnceLoseNothing() async throws {
        var server = try TestServer()
        defer { server.remove() }
        server.configuration.queueLimit = 100
        server.configuration.workers = 4
        try await server.run { client in
            let ended = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<32 {
                    group.addTask {
                        let job = try client.accepted(try await client.upload())
                        var last: String?
                        while last != "completed" { last = try await client.stream(job).last?.name }
                        return last
                    }
                }
                return try await group.reduce(into: [String?]()) { $0.append($1) }
            }
            #expect(ended.count == 32)
        }
        #expect(server.pictures.isEmpty)
    }

    @Test func placesAreCountedInPhotos() {
        let queue = JobQueue(workers: 1, limit: 2)
        #expect(queue.reserve(photos: 2) == nil)
        #expect(queue.reserve(photos: 2) != nil)
        #expect(queue.reserve(photos: 1) == nil)
        #expect(queue.probe() != nil)
        queue.release(photos: 3, seconds: 6)
        #expect(queue.photos == 0)
        // A batch larger than the queue is let in when nothing else is there.
        #expect(queue.reserve(photos: 5) == nil)
        // Two seconds a photo, and three photos too many: (5 + 1 - 3) * 2.
        #expect(queue.probe() == .seconds(6))
    }

    @Test func aJobThatIsAcceptedBeforeOlderOnesAreTakenUpCountsOnce() {
        func job(_ id: String, photos: Int) -> Job {
            Job(
                id: id,
                device: "device",
                state: .queued,
                photos: photos,
                created: Date(timeIntervalSince1970: 0),
                idempotencyKey: nil,
                digest: "",
                uploadMilliseconds: 0
            )
        }
        let queue = JobQueue(workers: 1, limit: 9)
        #expect(queue.reserve(photos: 2, job: "new") == nil)
        // The database has both.
        #expect(queue.resume([job("old", photos: 3), job("new", photos: 2)]).map(\.id) == ["old"])
        #expect(queue.photos == 5)
    }
}
