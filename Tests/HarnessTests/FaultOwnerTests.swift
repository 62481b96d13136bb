import Evaluation
import Foundation
import Imaging
import SpineDatasets
import TestSupport
import Testing

@testable import Harness

/// Owners of failures, as the harness sees them when they happen.
@Suite(.tags(.io), .inTurns) struct FaultOwnerTests {
    /// Ends of a worker of this program's reader, and of a user's.
    @Test(
        arguments: [
            ("killed", FaultOwner.machine, FaultOwner.machine), ("exits", nil, .harness), ("hangs", nil, .harness),
            ("leaves", nil, .harness), ("throws", nil, nil),
        ] as [(String, FaultOwner?, FaultOwner?)]
    )
    func aWorkersEndHasAnOwner(behaviour: String, own: FaultOwner?, users: FaultOwner?) throws {
        for (owner, limit) in [(own, nil), (users, 30)] as [(FaultOwner?, Double?)] {
            var setup = try ScriptedRun(spines(4, victim: 1), variants: ["t": behaviour], repetitions: 1)
            setup.configuration.variants[0].limitSeconds = limit
            if behaviour == "hangs" { setup.whenAWorkerHangs { $0.advance(by: .seconds(30)) } }
            let records = try setup.run().folder.records()
            expectEveryReadingOnce(records, setup)
            let failed = records.filter { $0.outcome != .read }
            #expect(failed.count == 1 && failed[0].owner == owner, "\(behaviour): \(failed)")
            #expect(records.allSatisfy { $0.outcome != .read || $0.owner == nil })
        }
    }

    @Test func whatIsGivenUpIsOwedToTheFaultThatMadeItSo() throws {
        let samples = (0..<8).map { Sample.made("victim\($0)") }
        let setup = try ScriptedRun(samples, variants: ["t": "killed"], repetitions: 1)
        let records = try setup.run().folder.records()
        expectEveryReadingOnce(records, setup)
        #expect(records.count { $0.outcome == .notAttempted } == 3)
        #expect(records.allSatisfy { $0.owner == .machine })
    }

    /// Commands of a user for a picture, or for all of them, and who owns their failure.
    @Test(
        arguments: [
            ("kill -9 $$", .machine), ("kill -TERM $$", .machine), ("sh -c 'kill -9 $$'; exit $?", .machine),
            ("kill -SEGV $$", nil), ("kill -ABRT $$", nil), ("exit 3", nil),
            // A full disk as the system reports it.
            ("head -c 9 /dev/zero > /dev/full || exit 1", .machine),
            (#"echo '{"id": 1, "error": "cannot write: No space left on device"}'"#, .machine),
            (#"echo '{"id": 1, "error": "I do not know"}'"#, nil), (#"echo '{"id": 1, "lines": 7}'"#, nil),
        ] as [(String, FaultOwner?)]
    )
    func aReadersEndHasAnOwner(command: String, owner: FaultOwner?) throws {
        let script = "echo '{\"ready\": {}}'; read -r line; \(command)"
        let isEach = !command.contains("echo")
        for system in try (isEach ? [EachReader.load(self.command(command + "; exit 9"))] : [])
            + [LinesReader.load(self.command(script))]
        {
            let failure = #expect(throws: ReaderFailure.self) { try system.system.process([1], name: "x") }
            #expect(failure?.owner == owner, "\(failure?.description ?? "")")
        }
    }

    private func command(_ line: String) -> ReaderCommand {
        ReaderCommand(line: line, timeout: 60, startTimeout: 60)
    }

    @Test func aPictureThatNobodyCanDecodeIsThePicturesFault() throws {
        let whole = try ImageCodec.encodePNG(RasterImage(width: 4, height: 4, channels: 3, filledWith: 200))
        let exit = ReaderFailure("the reader exited with code 2")
        #expect(ReaderFailure(exit, reading: whole, name: "x") == exit)
        let broken = ReaderFailure(exit, reading: Array(whole.dropLast(20)), name: "x.png")
        #expect(broken.owner == .picture)
        #expect(broken.description.hasPrefix("the reader exited with code 2; x.png: found a truncated PNG"))
        // Who was killed is not asked what it read.
        let killed = ReaderFailure("killed", owner: .machine)
        #expect(ReaderFailure(killed, reading: [], name: "x") == killed)
        #expect(ReaderFailure(POSIXError(.ENOSPC), reading: whole, name: "x").owner == .machine)
        #expect(ReaderFailure(POSIXError(.ENOENT), reading: whole, name: "x").owner == nil)
        #expect(ReaderFailure.unreadable("x", POSIXError(.ENOENT)).owner == .picture)
        #expect(ReaderFailure.unreadable("x", POSIXError(.EIO)).owner == .machine)
    }

    @Test func recordsOfEarlierVersionsHaveNoOwner() throws {
        let line = #"{"measurement":"a","repetition":1,"position":0,"id":"x","outcome":"failed","problem":"p"}"#
        #expect(SampleRecord.decoded(Array(line.utf8))?.owner == nil)
        let failure = #"{"failure":{"sequence":1,"milliseconds":2,"reason":"r"}}"#
        #expect(
            JSONLine.decode(WorkerMessage.self, from: Array(failure.utf8))
                == .failure(sequence: 1, milliseconds: 2, reason: "r", memory: nil, timing: nil)
        )
    }
}
