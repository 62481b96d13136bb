import ArgumentParser
import BenchmarkHarness
import Evaluation
import Foundation

/// Measures how often comparisons raise a false alarm, and how often they find what was planted.
struct GateCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate",
        abstract: "Measures false alarms of 'compare' in A/A comparisons, and how often it finds a planted regression.",
        discussion: """
            Without --real, readings are simulated and judged by the code that judges real ones: as many comparisons of a \
            system with itself as --count says, as many with a planted slowdown of 10 %, and as many with a planted loss of 5 \
            points of titles read.

            With --real, the program compares a variant with itself for real, B with the fault of --plant if there is one: \
            slowdown=10 lets its workers wait for 10 % of each reading's own time, drop=6 takes the text from 6 % of the \
            samples, chosen by their names. Let the machine be quiet.

              harness-check gate
              harness-check gate --real .build/release/spinebench --dataset Datasets/spines-1 --count 25
              harness-check gate --real .build/release/spinebench --dataset Datasets/spines-1 --plant slowdown=10

            Exit codes: 0 at most 2 % false alarms and at least 95 % found, 1 not.
            """
    )

    @Option(help: "How many comparisons of each kind.")
    var count = 200

    @Option(help: "The seed that simulated readings and real orders are drawn from.")
    var seed: UInt64 = 1

    @Option(help: "How many simulated samples.")
    var samples = 240

    @Option(help: "By how many percent simulated processes of one program differ (standard deviation).")
    var luck = 1.0

    @Option(help: ArgumentHelp("Compare for real with this program.", valueName: "program"))
    var real: String?

    @Option(help: ArgumentHelp("Of real comparisons: the dataset.", valueName: "dir"))
    var dataset: String?

    @Option(help: "Of real comparisons: the variant.")
    var variant = "fast"

    @Option(help: "Of real comparisons: read only so many samples.")
    var limit: Int?

    @Option(help: "Of real comparisons: the fault of B.")
    var plant: String?

    @Option(help: ArgumentHelp("Of real comparisons: where their folders go.", valueName: "dir"))
    var out: String = FileManager.default.temporaryDirectory.path + "/spinebench-gate-check"

    private static let mostFalse = 0.02
    private static let leastFound = 0.95

    func validate() throws {
        if count < 1 { throw ValidationError("--count \(count): give 1 or more.") }
        if samples < 20 { throw ValidationError("--samples \(samples): give 20 or more.") }
        if real != nil && dataset == nil { throw ValidationError("--real needs --dataset DIR.") }
    }

    func run() throws {
        let isGood: Bool
        if let real, let dataset {
            isGood = try compareForReal(real, dataset)
        } else {
            isGood = [
                judge("no change", simulated(.none), isAlarm: false),
                judge("slower by 10 %", simulated(.slowdown(0.1)), isAlarm: true),
                judge("5 points of titles lost", simulated(.loss(0.05)), isAlarm: true),
            ].allSatisfy(\.self)
        }
        throw ExitCode(isGood ? 0 : 1)
    }

    private func simulated(_ fault: SimulatedComparison.Fault) -> [Verdict?] {
        (0..<count).map { index in
            let comparison = SimulatedComparison(
                seed: seed &+ UInt64(index) &* 0x9e37_79b9_7f4a_7c15,
                samples: samples,
                luck: luck / 100,
                fault: fault
            )
            return comparison.result().verdict
        }
    }

    private func compareForReal(_ program: String, _ dataset: String) throws -> Bool {
        var verdicts: [Verdict?] = []
        for index in 0..<count {
            let folder = "\(out)/\(RunClock.folderName())-\(index)"
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments =
                [
                    "compare", variant, variant, "--dataset", dataset, "--seed", "\(seed + UInt64(index))", "--out",
                    folder,
                ]
                + (limit.map { ["--limit", "\($0)"] } ?? []) + (plant.map { ["--plant", $0] } ?? [])
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(ComparisonReports.Name.json)"),
                let report = try? JSONDecoder().decode(ComparisonReport.self, from: data)
            else {
                throw ValidationError(
                    "\(program) ended with \(process.terminationStatus) and left no report in \(folder)"
                )
            }
            verdicts.append(report.verdict)
            let rows = report.comparisons.flatMap(\.rows).filter { $0.tolerance != nil }.map {
                "\($0.metric.option) \(ComparisonText($0).difference) ±\(ComparisonText($0).noise) \($0.status.rawValue)"
            }
            print("\(index + 1): \(report.verdict?.rawValue ?? "none"); \(rows.joined(separator: "; "))")
        }
        return judge(plant ?? "no change", verdicts, isAlarm: plant != nil)
    }

    private func judge(_ name: String, _ verdicts: [Verdict?], isAlarm: Bool) -> Bool {
        let alarms = verdicts.count { $0 == .fail }
        let open = verdicts.count { $0 == .inconclusive }
        let share = Double(alarms) / Double(verdicts.count)
        let isGood = isAlarm ? share >= Self.leastFound : share <= Self.mostFalse
        print(
            "\(isGood ? "ok  " : "MISS") \(name): \(alarms) of \(verdicts.count) called a regression, \(open) not decided; "
                + (isAlarm ? "at least 95 % wanted" : "at most 2 % wanted")
        )
        return isGood
    }
}
