import Foundation
import HTTPTypes
import ServerSupport
import Synchronization
import Talaria
import TestSupport
import Testing

@testable import TalariaServer

@Suite(.inTurns) struct RestartTests {
    /// Leaves jobs as a killed process does: some in line, some begun, and an upload that was never finished.
    private func leaveJobs(_ count: Int, in server: TestServer) async throws -> [Job] {
        let parts = try server.make()
        var jobs: [Job] = []
        for index in 0..<count {
            let job = Job(
                id: UUID().uuidString.lowercased(),
                device: TestServer.device,
                state: index.isMultiple(of: 2) ? .queued : .processing,
                photos: 1,
                created: Date(timeIntervalSince1970: Double(index)),
                digest: "",
                uploadMilliseconds: 1
            )
            try parts.files.makeFolder(of: job.id)
            let file = try parts.files.create(photo: 0, job: job.id)
            try file.write(contentsOf: TestServer.photo)
            try file.close()
            let event = JobEvent(sequence: 0, id: "1-initial", name: "progress", data: "{}")
            let hash = JobToken.hash(of: "token-\(job.id)")
            let addition = try await parts.store.add(job, event: event, tokenHash: hash, expires: .distantFuture)
            #expect(addition == .added)
            jobs.append(job)
        }
        try parts.files.makeFolder(of: UUID().uuidString)
        return jobs
    }

    @Test func everyAcceptedJobIsDoneByTheNextProcess() async throws {
        let server = try TestServer()
        defer { server.remove() }
        let jobs = try await leaveJobs(10, in: server)
        #expect(server.pictures.count == 11)
        try await server.run { client in
            for job in jobs {
                let accepted = ScanAccepted(jobID: job.id, token: "token-\(job.id)")
                let events = try await client.stream(accepted)
                #expect(events.last?.name == "completed")
                #expect(events.first?.id == "1-initial")
            }
            #expect(server.pictures.isEmpty)
        }
    }

    @Test func lostPicturesAreSaidToBeLost() async throws {
        let server = try TestServer()
        defer { server.remove() }
        let job = try #require(try await leaveJobs(1, in: server).first)
        try FileManager.default.removeItem(atPath: server.pictureFolder)
        try await server.run { client in
            let events = try await client.stream(ScanAccepted(jobID: job.id, token: "token-\(job.id)"))
            guard case .failed(let problem)? = try events.last?.event() else { return #expect(Bool(false)) }
            #expect(problem.code?.rawValue == "IMAGES_LOST")
            #expect(problem.isRetryable == true)
        }
    }

    @Test func shutdownKeepsWhatIsInLine() async throws {
        var server = try TestServer()
        defer { server.remove() }
        let gate = server.holdReader()
        let left = Left()
        try await server.run { client in
            for _ in 0..<3 { left.add(try client.accepted(try await client.upload())) }
            await gate.untilWaiting(1)
            gate.open()
        }
        try await server.run { client throws in
            for job in left.jobs { #expect(try await client.stream(job).last?.name == "completed") }
        }
        #expect(server.pictures.isEmpty)
    }

    @Test func resultsAreKeptForTwoHours() async throws {
        let server = try TestServer()
        defer { server.remove() }
        let store = try server.make().store
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        var job = try #require(try await leaveJobs(1, in: server).first)
        job.state = .completed
        #expect(try await store.move(job.id, to: .completed, at: start, result: Data("{}".utf8)))
        #expect(try await store.purge(at: start.addingTimeInterval(7_199), resultLife: .seconds(7_200)) == 0)
        #expect(try await store.result(of: job.id) != nil)
        #expect(try await store.purge(at: start.addingTimeInterval(7_201), resultLife: .seconds(7_200)) == 1)
        #expect(try await store.result(of: job.id) == nil)
        #expect(try await store.events(of: job.id, after: 0).isEmpty)
    }

    @Test func endedJobCannotBeMoved() async throws {
        let server = try TestServer()
        defer { server.remove() }
        let store = try server.make().store
        let job = try #require(try await leaveJobs(1, in: server).first)
        #expect(try await store.move(job.id, to: .canceled, at: Date()))
        #expect(try await !store.move(job.id, to: .completed, at: Date(), result: Data()))
        #expect(try await store.state(of: job.id) == .canceled)
        // Further events of a worker arrive too late.
        let event = JobEvent(sequence: 0, id: "2-progress", name: "progress", data: "{}")
        try await store.add(event, to: job.id, progress: 0.5)
        #expect(try await store.events(of: job.id, after: 0).map(\.id) == ["1-initial"])
        #expect(try await store.result(of: job.id) == nil)
        #expect(try await !store.move("unknown", to: .completed, at: Date()))
    }
}

/// Jobs that a test takes from one server to the next.
final class Left: Sendable {
    private let state = Mutex<[ScanAccepted]>([])

    func add(_ job: ScanAccepted) { state.withLock { $0.append(job) } }
    var jobs: [ScanAccepted] { state.withLock { $0 } }
}
