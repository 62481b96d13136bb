import Foundation
import ServerSupport
import Synchronization
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns) struct RestartTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func server() throws -> TestServer { try TestServer("--data", folder("data")) }

    /// Leaves a job as a killed process does, in line or begun.
    static func leaveJob(
        in server: TalariaServer,
        created: Int = 0,
        isBegun: Bool = false,
        pictures: [[UInt8]] = [TestServer.photo]
    ) async throws -> ScanAccepted {
        let job = Job.sample(created: Double(created))
        let event = JobEvent(job: job.id, id: "1-initial", name: "progress", data: "{}")
        let token = JobToken(hash: JobToken.hash(of: "token-\(job.id)"), job: job.id, expires: .distantFuture)
        let addition = try await server.store.add(job, pictures.map { $0[...] }, event: event, token: token, places: 99)
        #expect(addition == .added)
        if isBegun { #expect(try await server.store.move(job.id, to: .processing, at: Date())) }
        return ScanAccepted(jobID: job.id, token: "token-\(job.id)")
    }

    @Test func everyAcceptedJobIsDoneByTheNextProcess() async throws {
        let left = Left()
        do {
            let killed = try server().make()
            for index in 0..<10 {
                left.add(try await Self.leaveJob(in: killed, created: index, isBegun: !index.isMultiple(of: 2)))
            }
        }
        try await server().run { client in
            for job in left.jobs {
                let events = try await client.stream(job)
                #expect(events.last?.name == "completed")
                #expect(events.first?.id == "1-initial")
            }
            #expect(try await client.pictures() == 0)
        }
    }

    @Test func lostPicturesAreSaidToBeLost() async throws {
        let left = Left()
        left.add(try await Self.leaveJob(in: try server().make(), pictures: []))
        try await server().run { client in
            guard case .failed(let problem)? = try await client.stream(left.jobs[0]).last?.event() else {
                return #expect(Bool(false))
            }
            #expect(problem.code?.rawValue == "IMAGES_LOST")
            #expect(problem.isRetryable == true)
        }
    }

    @Test func resultsAreKeptForTwoHours() async throws {
        let server = try TestServer().make()
        let (store, start) = (server.store, Date(timeIntervalSince1970: 1_800_000_000))
        let job = try await Self.leaveJob(in: server).jobID
        #expect(try await store.move(job, to: .completed, at: start))
        #expect(try await store.purge(at: start.addingTimeInterval(7_199), resultLife: .seconds(7_200)) == 0)
        #expect(try await store.events(of: job).count == 1)
        #expect(try await store.purge(at: start.addingTimeInterval(7_201), resultLife: .seconds(7_200)) == 1)
        #expect(try await store.job(job) == nil)
        #expect(try await store.events(of: job).isEmpty)
    }

    @Test func endedJobCannotBeMoved() async throws {
        let server = try TestServer().make()
        let (store, job) = (server.store, try await Self.leaveJob(in: server).jobID)
        #expect(try await store.move(job, to: .canceled, at: Date()))
        #expect(try await !store.move(job, to: .completed, at: Date()))
        #expect(try await store.job(job)?.state == .canceled)
        // Further events of a worker arrive too late.
        let event = JobEvent(job: job, id: "2-progress", name: "progress", data: "{}")
        #expect(try await !store.add(event, progress: 0.5))
        #expect(try await store.events(of: job).map(\.id) == ["1-initial"])
        #expect(try await !store.move("unknown", to: .completed, at: Date()))
    }
}

/// Jobs that a test takes from one server to the next.
final class Left: Sendable {
    private let state = Mutex<[ScanAccepted]>([])

    func add(_ job: ScanAccepted) { state.withLock { $0.append(job) } }
    var jobs: [ScanAccepted] { state.withLock { $0 } }
}
