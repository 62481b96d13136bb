import Foundation
import GRDB
import HTTPTypes
import ServerSupport
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns) struct AdmissionTests {
    @Test func windowIsOfOneDeviceAndEnds() async throws {
        var server = try TestServer("--rate-limit", "1,2,off")
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
            #expect(try await client.upload().status == .tooManyRequests)
            #expect(try await client.upload(device: TestServer.otherDevice).status == .accepted)
            clock.advance(by: 40)
            #expect(try await client.enrich("Dune").status == .ok)
        }
    }

    @Test(arguments: ["0,1,1", "1,1", "1,1,1,1", "1,-1,1", "1,x,1", ""])
    func invalidLimitsAreRefused(_ limits: String) {
        #expect(throws: (any Error).self) { try TestServer("--rate-limit", limits) }
    }

    @Test func fullQueueRefusesWithATime() async throws {
        var server = try TestServer("--queue", "2")
        let gate = server.holdReader()
        try await server.run { client in
            defer { gate.open() }
            var jobs: [ScanAccepted] = []
            for _ in 0..<3 { jobs.append(try await client.job()) }
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
        try await TestServer.run { client in
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
    }

    @Test func aFailureThatMayPassGivesItsKeyBack() async throws {
        var server = try TestServer()
        let gate = server.holdReader()
        try await server.run { client in
            _ = try await client.job()
            await gate.untilWaiting(1)
            let key = ["Idempotency-Key": "a-1"]
            let first = try await client.job(headers: key)
            _ = try await client.server.store.database.write { database in
                try Picture.filter(Column("job") == first.jobID).deleteAll(database)
            }
            gate.open()
            #expect(try await client.stream(first).last?.name == "failed")
            let second = try await client.job(headers: key)
            #expect(second.jobID != first.jobID)
            #expect(try await client.stream(second).last?.name == "completed")
            #expect(try await client.job(headers: key).jobID == second.jobID)
        }
    }

    @Test func aFailureThatIsFinalKeepsItsKey() async throws {
        var server = try TestServer()
        server.reader = PhotoReader { _, _ in [] }
        try await server.run { client in
            let key = ["Idempotency-Key": "a-1"]
            let first = try await client.job(headers: key)
            #expect(try await client.stream(first).last?.name == "failed")
            #expect(try await client.job(headers: key).jobID == first.jobID)
        }
    }

    @Test func aCanceledJobInLineGivesItsPlaceBack() async throws {
        var server = try TestServer("--queue", "1")
        let gate = server.holdReader()
        try await server.run { client in
            defer { gate.open() }
            _ = try await client.job()
            await gate.untilWaiting(1)
            let second = try await client.job()
            #expect(try await client.upload().status == .tooManyRequests)
            #expect(try await client.send(.delete, second.path).status == .ok)
            let third = try await client.job()
            #expect(try await client.upload().status == .tooManyRequests)
            gate.open()
            #expect(try await client.stream(third).last?.name == "completed")
            #expect(try await client.server.store.openPhotos() == 0)
        }
    }

    @Test func manyDevicesAtOnceLoseNothing() async throws {
        try await TestServer.run("--queue", "100", "--workers", "4") { client in
            let ended = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<32 {
                    group.addTask {
                        let job = try await client.job()
                        var last: String?
                        while last != "completed" { last = try await client.stream(job).last?.name }
                        return last
                    }
                }
                return try await group.reduce(into: [String?]()) { $0.append($1) }
            }
            #expect(ended.count == 32)
            #expect(try await client.pictures() == 0)
        }
    }

    @Test func placesAreCountedInPhotos() async throws {
        let store = try JobStore(folder: nil)
        func add(_ photos: Int) async throws -> JobStore.Addition {
            let job = Job.sample(photos: photos)
            let event = JobEvent(job: job.id, id: "1-initial", name: "progress", data: "{}")
            let token = JobToken(hash: job.id, job: job.id, expires: .distantFuture)
            return try await store.add(job, [], event: event, token: token, places: 3)
        }
        #expect(try await add(2) == .added)
        #expect(try await add(2) == .full(excess: 1))
        #expect(try await add(1) == .added)
        #expect(try await add(1) == .full(excess: 1))
        for job in try await store.openJobs(limit: 9) {
            #expect(try await store.move(job.id, to: .completed, at: Date()))
        }
        #expect(try await store.openPhotos() == 0)
        // A batch larger than the queue is let in when nothing else is there.
        #expect(try await add(5) == .added)
        // Two seconds a photo, and three photos too many: (5 + 1 - 3) * 2.
        let queue = JobQueue()
        queue.leave(.sample(photos: 3), after: 6)
        #expect(queue.time(ofPhotos: 3, workers: 1) == .seconds(6))
    }

    @Test func aJobIsTakenByOneWorker() {
        let (queue, jobs) = (JobQueue(), [Job.sample(), .sample()])
        #expect(queue.take(jobs) == jobs[0])
        #expect(queue.take(jobs) == jobs[1])
        #expect(queue.take(jobs) == nil)
        queue.leave(jobs[0])
        #expect(queue.take(jobs) == jobs[0])
    }
}

extension Job {
    static func sample(photos: Int = 1, created: Double = 0) -> Job {
        Job(
            id: UUID().uuidString.lowercased(),
            device: TestServer.device,
            photos: photos,
            created: Date(timeIntervalSince1970: created),
            digest: "",
            uploadMilliseconds: 1
        )
    }
}
