import Foundation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness
@testable import spinebench_tools

@Suite struct RunFollowerTests {
    @Test func aFolderWithoutARunIsRefused() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: HarnessError.self) { try RunFollower(folder.path) }
        #expect(error?.description == "\(folder.path): contains no run: config.json is missing")
        #expect(throws: HarnessError.self) { try RunFollower(folder("none")) }
    }

    @Test func aRunIsFollowedWhileItIsWritten() throws {
        let folder = try TemporaryFolder()
        var run: RunFolder? = try RunFolder.create(folder("run"), WatchedRun.configuration())
        var follower = try RunFollower(folder("run") + "/")
        #expect(follower.name == "run")
        var hasNews = follower.poll(now: Date())
        #expect(!hasNews)
        #expect(RunFolder.isBeingWritten(folder("run")))
        try run?.append(WatchedRun.event(.runStarted, planned: ["fast": 2]))
        try run?.append(WatchedRun.record(0))
        hasNews = follower.poll(now: Date())
        #expect(hasNews)
        #expect(follower.snapshot(now: Date()).done == 1)
        // A late watcher sees the same.
        var late = try RunFollower(folder("run"))
        hasNews = late.poll(now: Date())
        #expect(hasNews)
        let now = Date()
        #expect(late.snapshot(now: now).measurements == follower.snapshot(now: now).measurements)
        // Its process has ended.
        run = nil
        #expect(!RunFolder.isBeingWritten(folder("run")))
        #expect(follower.snapshot(now: Date()).phase == .running)
        #expect(follower.snapshot(now: Date().addingTimeInterval(11)).phase == .stopped)
    }

    @Test func looksDoNotKeepARunFromBeingResumed() throws {
        let folder = try TemporaryFolder()
        _ = try RunFolder.create(folder("run"), WatchedRun.configuration())
        #expect(!RunFolder.isBeingWritten(folder("run")))
        let (run, _) = try RunFolder.open(folder("run"))
        #expect(RunFolder.isBeingWritten(folder("run")))
        #expect(RunFolder.isBeingWritten(folder("run")))
        withExtendedLifetime(run) {}
    }

    /// Half a line of a killed run, then a whole one of the resumed run.
    @Test func halfALineIsWaitedFor() throws {
        let folder = try TemporaryFolder()
        _ = try RunFolder.create(folder("run"), WatchedRun.configuration())
        let line = try JSONLine.encode(WatchedRun.record(0))
        try folder.write(Array(line.prefix(40)), "run/samples.jsonl")
        var follower = try RunFollower(folder("run"))
        var hasNews = follower.poll(now: Date())
        #expect(!hasNews)
        try folder.write(Array(line), "run/samples.jsonl")
        hasNews = follower.poll(now: Date())
        #expect(hasNews)
        let snapshot = follower.snapshot(now: Date())
        #expect(snapshot.done == 1)
        #expect(snapshot.unreadableLines == 0)
    }

    @Test func anotherRunInTheSameFolderBeginsAnew() throws {
        let folder = try TemporaryFolder()
        _ = try RunFolder.create(folder("run"), WatchedRun.configuration())
        let lines = try (0..<3).map { try JSONLine.encode(WatchedRun.record($0)) }
        try folder.write(Array(lines.joined()), "run/samples.jsonl")
        var follower = try RunFollower(folder("run"))
        _ = follower.poll(now: Date())
        #expect(follower.snapshot(now: Date()).done == 3)
        try folder.write(Array(lines[0]), "run/samples.jsonl")
        let hasNews = follower.poll(now: Date())
        #expect(hasNews)
        #expect(follower.snapshot(now: Date()).done == 1)
    }
}
