import ScanningPolicies
import Synchronization
import TestSupport
import Testing

@testable import ScanningPipeline

/// Process whose memory is that of its models.
private final class Machine: Sendable {
    struct State {
        var bytes = 50_000_000
        var live = 0
        var mostLive = 0
        var givenBack = 0
    }

    let state = Mutex(State())
    let clock = ManualClock()

    final class Model: Sendable {
        let bytes: Int
        private let machine: Machine

        init(_ bytes: Int, on machine: Machine) {
            self.bytes = bytes
            self.machine = machine
            machine.state.withLock {
                $0.bytes += bytes
                $0.live += 1
                $0.mostLive = max($0.mostLive, $0.live)
            }
        }

        deinit {
            machine.state.withLock {
                $0.bytes -= bytes
                $0.live -= 1
            }
        }
    }

    func source(_ name: String, megabytes: Int, isCritical: Bool = false) -> ModelManager<Model>.Source {
        .init(name: name, isCritical: isCritical, memoryBytes: megabytes * 1_000_000) { [self] quality in
            clock.advance(by: .milliseconds(700))
            return Model(quality == .high ? megabytes * 1_000_000 : megabytes * 500_000, on: self)
        }
    }

    func manager(_ sources: [ModelManager<Model>.Source]) -> ModelManager<Model> {
        ModelManager(
            sources,
            clock: clock,
            residentBytes: { [self] in state.withLock { $0.bytes } },
            giveBack: { [self] in state.withLock { $0.givenBack += 1 } }
        )
    }
}

@Suite struct ModelManagerTests {
    @Test func aModelIsLoadedOnceAndMeasured() async throws {
        let machine = Machine()
        let manager = machine.manager([machine.source("pose", megabytes: 100)])
        let first = try await manager.use("pose", at: .high) { $0.bytes }
        #expect(first.value == 100_000_000 && first.evicted.isEmpty)
        let load = try #require(first.load)
        #expect(load.name == "pose" && load.quality == .high && load.duration == .milliseconds(700))
        #expect(load.memoryBytes == 100_000_000)
        let second = try await manager.use("pose", at: .high) { $0.bytes }
        #expect(second.load == nil && machine.state.withLock { $0.live } == 1)
    }

    @Test func atAnotherQualityTheOldOneGoesBeforeTheNewOneComes() async throws {
        let machine = Machine()
        let manager = machine.manager([machine.source("pose", megabytes: 100)])
        for quality in [ReadingQuality.high, .medium, .low, .high] {
            _ = try await manager.use("pose", at: quality) { _ in }
        }
        let state = machine.state.withLock { $0 }
        #expect(state.mostLive == 1 && state.givenBack == 3 && state.bytes == 150_000_000)
    }

    @Test func whatIsUnloadedIsGone() async throws {
        let machine = Machine()
        let manager = machine.manager([machine.source("pose", megabytes: 100)])
        _ = try await manager.use("pose", at: .high) { _ in }
        await manager.unload("pose")
        await manager.unload("pose")
        let state = machine.state.withLock { $0 }
        #expect(state.live == 0 && state.bytes == 50_000_000 && state.givenBack == 1)
        #expect(await manager.loaded.isEmpty)
    }

    /// 200 + 200 + 150 MB do not fit below 500: the one unused for longest is unloaded, and not the one that is
    /// always needed.
    @Test func theLongestUnusedGoesForANewOne() async throws {
        let machine = Machine()
        let manager = machine.manager([
            machine.source("reader", megabytes: 200, isCritical: true), machine.source("pose", megabytes: 200),
            machine.source("face", megabytes: 150),
        ])
        _ = try await manager.use("reader", at: .high) { _ in }
        _ = try await manager.use("pose", at: .high) { _ in }
        let face = try await manager.use("face", at: .high) { _ in }
        #expect(face.evicted == ["pose"])
        #expect(await manager.loaded.map(\.name) == ["face", "reader"])
        #expect(await manager.loaded.map(\.memoryBytes) == [150_000_000, 200_000_000])
        // A face model of half the size lets all three fit.
        _ = try await manager.use("face", at: .low) { _ in }
        #expect(try await manager.use("pose", at: .high) { _ in }.evicted.isEmpty)
        #expect(await manager.loaded.map(\.memoryBytes) == [75_000_000, 200_000_000, 200_000_000])
    }

    @Test func aModelThatNeverFitsIsRefusedAndNobodyGoesForIt() async throws {
        let machine = Machine()
        let manager = machine.manager([
            machine.source("pose", megabytes: 100), machine.source("giant", megabytes: 500),
        ])
        _ = try await manager.use("pose", at: .high) { _ in }
        await #expect(throws: ModelManager<Machine.Model>.Problem.self) {
            try await manager.use("giant", at: .high) { _ in }
        }
        #expect(await manager.loaded.map(\.name) == ["pose"])
    }

    @Test func anUnknownModelIsRefusedByName() async throws {
        let manager = Machine().manager([])
        await #expect(throws: ModelManager<Machine.Model>.Problem.unknown(name: "pose", known: [])) {
            try await manager.use("pose", at: .high) { _ in }
        }
    }

    @Test func aLoadThatFailsLeavesNothingBehind() async throws {
        struct Broken: Error {}
        let machine = Machine()
        let manager = machine.manager([
            .init(name: "pose", isCritical: false, memoryBytes: 1) { _ in throw Broken() }
        ])
        for _ in 0..<2 {
            await #expect(throws: Broken.self) { try await manager.use("pose", at: .high) { _ in } }
        }
        #expect(await manager.loaded.isEmpty)
    }

    @Test func aMemoryWarningPutsAllOutAndALowBatteryThoseThatCanBeDoneWithout() async throws {
        let machine = Machine()
        let manager = machine.manager([
            machine.source("reader", megabytes: 100, isCritical: true), machine.source("pose", megabytes: 100),
        ])
        func loadBoth() async throws {
            _ = try await manager.use("reader", at: .high) { _ in }
            _ = try await manager.use("pose", at: .high) { _ in }
        }
        try await loadBoth()
        #expect(await manager.relieve(under: DeviceConditions()) == [])
        #expect(await manager.relieve(under: DeviceConditions(batteryLevel: 0.1)) == ["pose"])
        try await loadBoth()
        #expect(await manager.relieve(under: DeviceConditions(hasMemoryWarning: true)) == ["pose", "reader"])
        #expect(machine.state.withLock { $0.live } == 0)
    }
}
