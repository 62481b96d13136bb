import Foundation
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit), .inTurns) struct ConditionsTests {
    private let start = MachineReading(
        wallSeconds: 1_000,
        continuousSeconds: 50,
        awakeSeconds: 40,
        loadAverage: 0.25,
        ownSeconds: 3,
        processors: ProcessorTimes(busy: 100, stolen: 5, total: 400)
    )

    @Test func whatOthersTookIsWhatWasBusyLessOnesOwn() throws {
        var end = start
        (end.wallSeconds, end.continuousSeconds, end.awakeSeconds) = (1_010, 60, 50)
        (end.ownSeconds, end.processors) = (12, ProcessorTimes(busy: 110, stolen: 6, total: 420))
        let conditions = Conditions(from: start, to: end, cores: 2)
        #expect(conditions.seconds == 10 && conditions.wallJumpSeconds == 0 && conditions.suspendedSeconds == 0)
        // 10 s busy of 20 s of two processors, 9 s of them one's own; 1 s stolen.
        #expect(conditions.otherShare == 0.05 && conditions.stealShare == 0.05)
        #expect(conditions.loadAverageBefore == 0.25)
    }

    /// Work of more than 50 ms on any processor, 300,000 turns of a shell's loop, and a wait for a line.
    private static let work = "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done; read x'"

    /// Calls `body` when a script of the shell has done its work, and then lets it end.
    private static func with(_ script: String, _ body: (Process) throws -> Void) throws {
        let (input, output, process) = (Pipe(), Pipe(), Process())
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        #expect(output.fileHandleForReading.availableData == Data("done\n".utf8))
        try body(process)
        try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
        process.waitUntilExit()
    }

    #if os(Linux)
    /// Other tests start and end programs meanwhile: only this one's children are compared.
    @Test func whatOneStartedAndWhatItStartedIsOnesOwn() throws {
        var id: Int32 = 0
        // A child of a child, as a back end is, that works and then waits.
        try Self.with("\(Self.work); :") { process in
            id = process.processIdentifier
            let taken = ProcessTree.secondsOfDescendants(of: id)
            #expect(taken > 0.05 && ProcessTree.secondsOfDescendants() >= taken)
            let family = ProcessTree.family(of: [id], children: ProcessTree.children)
            #expect(family.count == 2 || !ProcessTree.listsChildren)
        }
        #expect(ProcessTree.secondsOfDescendants(of: id) == 0)
    }

    /// A child that works on after its parent's end, as a reader's may.
    @Test func whatOutlivesItsParentIsOnesOwn() async {
        // In a process of its own: one that adopts waits for the programs of other tests.
        await #expect(processExitsWith: .success) { try ConditionsTests.outlive() }
    }

    private static func outlive() throws {
        ProcessTree.adoptOrphans()
        var leader: Int32 = 0
        func child() -> ProcessTree.Entry? {
            ProcessTree.entries().first { $0.group == leader && $0.id != leader }
        }
        // A shell gives a background process no input but one that it names.
        try with("exec 3<&0; \(work) <&3 & exit 0") { process in
            leader = process.processIdentifier
            // No event says that a process was adopted, nor that an adopted one has ended: both are polled.
            while child()?.parent == leader { usleep(1_000) }
            let worked = try #require(child())
            #expect(worked.parent == getpid() && worked.seconds > 0.05)
        }
        while child()?.isEnded == false { usleep(1_000) }
        ProcessTree.reap(ProcessTree.entries())
        #expect(child() == nil)
    }
    #endif

    @Test func theKernelsListOfProcessesIsRead() {
        // A name with a bracket and spaces; utime 150, stime 50, cutime 300, cstime 100 hundredths.
        let text = "42 (a) b (c) S 7 42 42 0 -1 4194560 1 2 3 4 150 50 300 100 20 0 1 0 999 0 0"
        #expect(ProcessTree.parse(text) == .init(id: 42, parent: 7, group: 42, seconds: 6))
        // 4194624 = 0x400140.
        #expect(ProcessTree.parse(text.replacing("4194560", with: "4194624"))?.isFork == true)
        #expect(ProcessTree.parse(text.replacing(" S ", with: " Z "))?.isEnded == true)
        #expect(ProcessTree.parse("42 (a) S 7") == nil && ProcessTree.parse("") == nil)
        let list: [ProcessTree.Entry] = [
            .init(id: 7, parent: 1, group: 3, seconds: 100), .init(id: 42, parent: 7, group: 42, seconds: 6),
            .init(id: 43, parent: 42, group: 3, seconds: 0.5), .init(id: 9, parent: 1, group: 3, seconds: 1_000),
        ]
        #expect(ProcessTree.seconds(of: list, below: 7) == 6.5)
        #expect(ProcessTree.seconds(of: list, below: 43) == 0)
        // 43 has left the group of 42, which started it.
        #expect(ProcessTree.members(of: list, groups: [42]) == [42, 43])
    }

    @Test func aClockThatWasSetAndASuspensionShow() {
        var end = start
        // An hour forward, eight of ten seconds asleep.
        (end.wallSeconds, end.continuousSeconds, end.awakeSeconds) = (4_610, 60, 42)
        let conditions = Conditions(from: start, to: end, cores: 2)
        #expect(conditions.wallJumpSeconds == 3_600 && conditions.suspendedSeconds == 8)
        // The processors' counters did not move: the shares are unknown.
        #expect(conditions.otherShare == nil && conditions.stealShare == nil)
    }

    @Test func processorTimesAreReadFromTheKernelsTable() {
        // user nice system idle iowait irq softirq steal guest guest_nice, in hundredths of a second.
        let text = "cpu  1000 200 300 4000 500 60 40 700 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n"
        #expect(ProcessorTimes.parse(text) == ProcessorTimes(busy: 16, stolen: 7, total: 68))
        #expect(ProcessorTimes.parse("cpu 1 2 3\n") == nil)
        #expect(ProcessorTimes.parse("") == nil)
    }
}
