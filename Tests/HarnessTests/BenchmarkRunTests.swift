import Basics
import Evaluation
import Foundation
import SpineDatasets
import Statistics
import TestSupport
import Testing

@testable import Harness
@testable import Reports

/// Runs with scripted workers that die, hang, print stray output or cannot start.
@Suite(.tags(.io), .inTurns) struct BenchmarkRunTests {
    @Test func aHundredSpinesTenTimesInThreeTiersLoseNothingWhenAWorkerIsKilled() throws {
        let setup = try ScriptedRun(
            spines(100, victim: 57),
            variants: ["a": "", "b": "killed-once", "c": ""],
            repetitions: 10
        )
        let (result, folder) = try setup.run()
        let lines = try String(contentsOfFile: setup.path + "/samples.jsonl", encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3_000)
        let records = folder.records()
        expectEveryReadingOnce(records, setup)
        let lost = records.filter { $0.outcome != .read }
        #expect(lost.count == 1)
        #expect(lost.first?.measurement == "b" && lost.first?.id == "victim" && lost.first?.outcome == .workerDied)
        #expect(lost.first?.problem == "the worker was killed by SIGKILL (9)")
        let report = RunDocument(result).markdown
        #expect(report.contains("- b: the worker was killed by SIGKILL (9). A new worker took over."))
        #expect(report.contains("- b: victim, repetition 1, worker lost: the worker was killed by SIGKILL (9)"))
        #expect(result.measurements.map(\.all.latency.count) == [1_000, 999, 1_000])
    }

    /// What becomes of four readings, of which the victim's goes as the worker behaves, and of what it prints.
    @Test(
        arguments: [
            ("twice", ["read": 4], nil, "an unexpected message"),
            ("other", ["read": 4], nil, "an unexpected message"),
            ("floods", ["read": 4], nil, "and 4999 more"),
            ("chatters", ["read": 4], nil, "{\"not\":\"a message\"}"),
            ("hangs", ["read": 3, "timedOut": 1], "no answer within 30 s, so the worker was killed", "now it hangs"),
            (
                "stubborn", ["read": 3, "timedOut": 1], "no answer within 30 s, so the worker was killed",
                "now it hangs"
            ),
            ("forks", ["read": 3, "workerDied": 1], "the worker was killed by SIGKILL (9)", nil),
            (
                "exits", ["read": 3, "workerDied": 1],
                "the worker exited with code 7; its last output: first words ⏎ cannot go on", nil
            ),
            // Its end is noticed at the reading after.
            ("leaves", ["read": 3, "workerDied": 1], "the worker exited with code 0", nil),
        ] as [(String, [String: Int], String?, String?)]
    )
    func aWorkerCostsItsOwnSample(
        behaviour: String,
        outcomes: [String: Int],
        problem: String?,
        lastNoise: String?
    ) throws {
        let setup = try ScriptedRun(spines(4, victim: 1), variants: ["t": behaviour], repetitions: 1)
        if lastNoise == "now it hangs" { setup.whenAWorkerHangs { $0.advance(by: .seconds(30)) } }
        let (result, folder) = try setup.run()
        expectEveryReadingOnce(folder.records(), setup)
        let measurement = result.measurements[0]
        #expect(measurement.outcomes == outcomes)
        #expect(measurement.problems.first?.problem == problem)
        #expect(measurement.lostWorkers == [problem].compactMap(\.self))
        #expect(measurement.noise.last == lastNoise)
        #expect(measurement.all.latency.timeouts == outcomes["timedOut"] ?? 0)
    }

    @Test func aReaderThatDoesNotStartFailsAllReadings() throws {
        let setup = try ScriptedRun(spines(4), variants: ["t": "unready"], repetitions: 1)
        let (result, folder) = try setup.run()
        expectEveryReadingOnce(folder.records(), setup)
        #expect(result.measurements[0].outcomes == ["failed": 4])
        #expect(folder.records().allSatisfy { $0.problem == "the reader ended before its ready message" })
    }

    @Test func aSystemThatThrowsKeepsItsWorker() throws {
        let setup = try ScriptedRun(spines(4, victim: 2), variants: ["t": "throws"], repetitions: 1)
        let (result, _) = try setup.run()
        #expect(result.measurements[0].outcomes == ["read": 3, "failed": 1])
        #expect(result.measurements[0].lostWorkers.isEmpty)
        #expect(result.measurements[0].problems.first?.problem == "images/victim.png: corrupt")
        // Failed readings are in no percentile.
        #expect(result.measurements[0].all.latency.count == 3)
    }

    @Test func aMissingEngineIsAnErrorOfTheEnvironment() throws {
        let setup = try ScriptedRun(spines(2), variants: ["t": "unavailable"])
        #expect(throws: HarnessError.unavailable(variant: "t", reason: "the model is missing: run make setup")) {
            try setup.run()
        }
    }

    @Test func aProgramThatDoesNotExistIsAnErrorOfTheEnvironment() throws {
        let setup = try ScriptedRun(spines(2), variants: ["t": ""])
        let folder = try RunFolder.create(setup.path, setup.configuration)
        let run = BenchmarkRun(
            configuration: setup.configuration,
            setup: RunSetup(datasets: [setup.dataset], folder: folder),
            worker: { _ in WorkerLaunch(executable: "/nowhere/worker", arguments: []) }
        )
        #expect {
            try run.run()
        } throws: { error in
            guard case HarnessError.unavailable(variant: "t", reason: let reason) = error else { return false }
            return reason.hasPrefix("cannot start /nowhere/worker")
        }
    }

    @Test func aWorkerThatNeverGetsReadyIsToldAfterSomeTries() throws {
        let setup = try ScriptedRun(spines(2), variants: ["t": "never-ready"])
        let last =
            "the worker exited with code 127; its last output: "
            + "error while loading shared libraries: libengine.so"
        #expect(throws: HarnessError.workerNeverReady(variant: "t", starts: 5, last: last)) { try setup.run() }
    }

    @Test func aVariantThatDiesOnEverythingIsGivenUpAndCountsAsNotRead() throws {
        let samples = (0..<8).map { Sample.made("victim\($0)") }
        let setup = try ScriptedRun(samples, variants: ["t": "killed"], repetitions: 1)
        let (result, folder) = try setup.run()
        expectEveryReadingOnce(folder.records(), setup)
        #expect(result.measurements[0].outcomes == ["workerDied": 5, "notAttempted": 3])
        #expect(result.measurements[0].all.rate(.titleRead).trials == 8)
        #expect(result.measurements[0].all.rate(.titleRead).successes == 0)
        #expect(setup.progress.values.contains(.abandoned(measurement: "t", unread: 3)))
    }

    @Test func aStoppedRunGoesOnWhereItStopped() throws {
        let setup = try ScriptedRun(spines(10), variants: ["a": "", "b": ""])
        let interruption = Interruption()
        let folder = try RunFolder.create(setup.path, setup.configuration)
        #expect(throws: HarnessError.interrupted(signal: 15)) {
            try setup.start(in: folder, interruption: interruption) {
                if case .readingDone(let record, done: 7, _) = $0, record.measurement == "b" {
                    interruption.stop(signal: 15)
                }
            }
        }
        let before = folder.records()
        #expect(before.count >= 27 && before.count < 40)
        #expect(!FileManager.default.fileExists(atPath: setup.path + "/report.md"))
        // A harness that is killed outright may leave half a line.
        let samples = try #require(FileHandle(forWritingAtPath: setup.path + "/samples.jsonl"))
        try samples.seekToEnd()
        try samples.write(contentsOf: Data("{\"measurement\":\"b\",\"repe".utf8))
        try samples.close()

        let (again, configuration) = try RunFolder.open(setup.path)
        #expect(configuration == setup.configuration)
        let result = try setup.start(in: again)
        expectEveryReadingOnce(again.records(), setup)
        #expect(Array(again.records().prefix(before.count)) == before)
        #expect(result.resumes == 1)
        #expect(result.measurements.map(\.outcomes) == [["read": 20], ["read": 20]])
    }

    @Test func aStoppedRunIsJudgedByWhatWasAttemptedAndDecidesNothing() throws {
        let setup = try ScriptedRun(spines(10), variants: ["a": "", "b": "", "c": ""], repetitions: 1)
        var whole = setup
        for index in whole.configuration.variants.indices { whole.configuration.variants[index].gates = true }
        let interruption = Interruption()
        let folder = try RunFolder.create(whole.path, whole.configuration)
        #expect(throws: HarnessError.interrupted(signal: 2)) {
            try whole.start(in: folder, interruption: interruption) {
                if case .readingDone(let record, done: 4, _) = $0, record.measurement == "b" {
                    interruption.stop(signal: 2)
                }
            }
        }
        let dataset = whole.dataset
        func stored() throws -> RunResult {
            let contents = try RunFolder.contents(whole.path)
            return try RunResult(
                configuration: contents.configuration,
                datasets: [dataset],
                records: contents.records,
                events: contents.events
            )
        }
        let stopped = try stored()
        let read = stopped.measurements[1].done
        #expect(read >= 4 && read < 10)
        // The attempted readings of b; nothing of c.
        #expect(stopped.measurements.map { $0.all.rate(.titleRead).trials } == [10, read, 0])
        #expect(stopped.measurements.map(\.all.samples) == [10, read, 0])
        let none = Figure.absent("not started")
        let c = stopped.measurements[2]
        #expect(
            [
                c.memory.footprint.peak, c.memory.footprint.delta, c.coldStart.untilReady,
                c.value(of: .inferenceShare)?.value,
            ] == [
                none, none, none, none,
            ]
        )
        #expect(
            [c.all.latency.p95.value, c.all.latency.longest, c.all.values[.similarity]?.value] == [none, none, none]
        )
        #expect(c.all.rate(.titleRead).interval.reason == "not started")
        // Nothing gates, and nothing of b and c is met or missed.
        #expect(stopped.verdict == .inconclusive && stopped.exitCode == 3)
        #expect(stopped.compliance.allSatisfy { !$0.gates })
        let open = stopped.compliance.filter { $0.measurement != "a" }
        #expect(open.allSatisfy { $0.judgement.verdict == .inconclusive })
        #expect(Set(open.map(\.judgement.note)) == ["stopped after \(read) of 10 readings", "not started"])
        let sentence =
            "Stopped after \(10 + read) of 30 readings: the figures cover only these. No verdict until the rest is "
            + "read: spinebench run --resume."
        #expect(VerdictText(stopped).sentence == sentence)
        let contents = RunContents(name: "run", result: stopped, records: folder.records(), datasets: [dataset])
        let files = try RunReports(contents).files()
        let report = String(decoding: try #require(files["report.md"]), as: UTF8.self)
        #expect(report.hasPrefix("# Spine reading: INCONCLUSIVE (partial)\n\n⚠️ "))
        #expect(report.contains("| c | – | – | – | – |\n"))
        #expect(report.contains("|\n\n\(sentence)\n\n"))
        let csv = String(decoding: try #require(files["figures.csv"]), as: UTF8.self).split(separator: "\n")
        // Figures of measurements that were not begun are absent, not 0.
        #expect(csv.filter { $0.hasPrefix("c,") } == ["c,c,single,made,,all,readings,count,,,,,,measured,not started"])
        // CI receives neither a pass nor a failure.
        let checks = CheckReport(stopped).checks
        #expect(checks.map(\.outcome) == [.open, .open] && checks.map(\.suite) == ["b", "c"])
        let half = RunContents(name: "", result: stopped, records: [], datasets: [])
        let gate = try GateResult(half, baselines: [], usesTargets: false, tool: "")
        #expect(gate.verdict == .inconclusive && gate.verdict.exitCode == 3)

        let (again, _) = try RunFolder.open(whole.path)
        let finished = try whole.start(in: again)
        #expect(!finished.isPartial && finished.measurements.map { $0.all.rate(.titleRead).trials } == [10, 10, 10])
        #expect(finished.compliance.contains { $0.gates })
        #expect(try stored().compliance == finished.compliance)
    }

    @Test func theCompileCacheIsFilledBeforeAnythingIsMeasured() throws {
        let setup = try ScriptedRun(spines(3), variants: ["a": "", "b": "", "c": "", "d": ""], repetitions: 1)
        let kept = Collected<Int>()
        // Two kinds of networks, and a variant that compiles nothing; the first process finds nothing and leaves 6,
        // and so on.
        let cache = CompileCache(
            key: { $0.name == "d" ? nil : $0.name == "c" ? "large" : "small" },
            count: {
                kept.add(0)
                return [0, 6, 6, 6][min(3, kept.values.count - 1)]
            }
        )
        let folder = try RunFolder.create(setup.path, setup.configuration)
        let result = try setup.start(in: folder, cache: cache)
        let events = folder.recordedEvents()
        let first = try #require(events.firstIndex { $0.kind == .ready })
        #expect(events[..<first].map(\.kind) == [.runStarted, .cacheFilled, .cacheFilled])
        let fills = try #require(result.cacheFills)
        #expect(fills.map(\.measurements) == [["a", "b"], ["c"]])
        #expect(fills.map(\.before) == [0, 6] && fills.map(\.added) == [6, 0])
        // Its figures are in none of the measurement's own.
        #expect(events.count { $0.kind == .ready } == 4 && events.count { $0.kind == .began } == 4)
        let starts = result.measurements.map(\.coldStart.firstStart)
        #expect(starts[0]?.value == fills[0].milliseconds && starts[1] == starts[0])
        #expect(starts[2] == .absent("compiled networks were already cached") && starts[3] == nil)
        let report = RunDocument(result).markdown
        #expect(report.contains("a, b compiled 6 networks in "))
        #expect(report.contains("c found all of its networks (6 were cached) and loaded in "))
    }

    @Test(
        arguments: [
            (0, 6, .value(900)),
            // Whose the four were is not known.
            (4, 2, .absent("it compiled 2, and may have reused some of the 4 cached ones")),
            (6, 0, .absent("compiled networks were already cached")),
            // A folder that takes nothing, and none at all.
            (0, 0, .absent("compiled networks cannot be cached here")),
            (nil, nil, .absent("compiled networks cannot be cached here")),
        ] as [(Int?, Int?, Figure)]
    )
    func onlyAStartThatCompilesAllIsAFirstOne(_ before: Int?, _ added: Int?, _ expected: Figure) {
        let fill = CacheFill(measurements: ["a"], before: before, added: added, milliseconds: 900)
        #expect(fill.firstStart == expected)
    }

    @Test func aResumedRunRefusesAnotherEngine() throws {
        let setup = try ScriptedRun(spines(3), variants: ["t": ""])
        let folder = try RunFolder.create(setup.path, setup.configuration)
        try folder.append(RunEvent(kind: .ready, time: "", measurement: "t", description: ["engine": "another"]))
        #expect {
            try setup.start(in: folder)
        } throws: { error in
            if case HarnessError.resumeMismatch = error { true } else { false }
        }
    }

    @Test func aFolderWithARunIsNotOverwritten() throws {
        let setup = try ScriptedRun(spines(1), variants: ["t": ""])
        _ = try RunFolder.create(setup.path, setup.configuration)
        #expect(throws: HarnessError.self) { try RunFolder.create(setup.path, setup.configuration) }
    }

    @Test func withoutWarmUpTheFirstCountedReadingIsTheFirst() throws {
        var setup = try ScriptedRun(spines(2), variants: ["t": ""])
        setup.configuration.warmUpReadings = 0
        #expect(try setup.run().result.measurements[0].coldStart.untilFirstReading.value != nil)
    }

    @Test func theWorkersFiguresReachTheResult() throws {
        let (result, _) = try ScriptedRun(spines(5), variants: ["t": ""]).run()
        let measurement = result.measurements[0]
        #expect(measurement.description == ["engine": "scripted"])
        #expect(measurement.coldStart.modelLoad == .value(5))
        #expect(
            try #require(measurement.coldStart.untilFirstReading.value) >= #require(
                measurement.coldStart.untilReady.value
            )
        )
        // 50 MB before, 55 MB after, 70 MB at most, of which 60 MB were reached before the first counted reading; and 40 MB
        // of files at every moment.
        for (level, files) in [(measurement.memory.footprint, 0.0), (measurement.memory.resident, 40_000_000)] {
            #expect(level.before == .value(50_000_000 + files))
            #expect(level.delta == .value(5_000_000))
            #expect(level.peakDelta == .value(20_000_000))
            #expect(level.peak == .value(70_000_000 + files))
        }
        #expect(measurement.memory.earlier == nil)
        // (0.5 + 0.7) / 1.5
        #expect(abs(try #require(measurement.value(of: .inferenceShare)?.value.value) - 0.8) < 1e-9)
    }
}
