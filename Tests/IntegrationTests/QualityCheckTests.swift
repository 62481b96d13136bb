import Basics
import Foundation
import SpineReaders
import TestSupport
import Testing

/// Released readers really free their memory: in a separate process, where nothing else takes any.
@Suite(
    .inTurns,
    .needsProgram,
    .enabled(if: ReadingSettings.fast.problem == nil, "the models are not there: run 'make setup'")
)
struct QualityCheckTests {
    private struct Report: Decodable {
        struct Memory: Decodable { var cycles: [Cycle] }
        struct Cycle: Decodable {
            var beforeMegabytes: Double
            var usedMegabytes: Double
            var unloadedMegabytes: Double
        }

        var memory: Memory
    }

    @Test func unloadingGivesMemoryBackAndLoadingAgainTakesNoMore() throws {
        try Folder.with { folder in
            let dataset = URL(filePath: #filePath).appending(path: "../../../Datasets/spines-1").standardizedFileURL
                .path
            let outcome = try Program.run(
                program: "checks",
                [
                    "quality", "--dataset", dataset, "--spines", "1", "--cycles", "2", "--json",
                    folder("report.json"),
                ]
            )
            #expect(outcome.code == 0, "\(outcome.errors)")
            let data = try Data(contentsOf: URL(filePath: folder("report.json")))
            // Memory of OpenVINO itself, once in a process, is the first cycle's.
            let cycles = try JSONDecoder().decode(Report.self, from: data).memory.cycles.dropFirst()
            #expect(cycles.count == 5)
            for cycle in cycles {
                let taken = cycle.usedMegabytes - cycle.beforeMegabytes
                // About 40 MB for the networks that one spine needs.
                #expect(taken > 25)
                #expect(cycle.usedMegabytes - cycle.unloadedMegabytes >= taken / 2)
            }
            // A leak of each cycle would be several times the size of one.
            let left = try #require(cycles.last).unloadedMegabytes - cycles[cycles.startIndex].unloadedMegabytes
            #expect(left < 100)
        }
    }
}
