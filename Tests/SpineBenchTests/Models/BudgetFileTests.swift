import Basics
import Harness
import ScanningPolicies
import TestSupport
import Testing

@testable import spinebench_tools

@Suite struct BudgetFileTests {
    @Test(arguments: [
        ("Pose Detection", "Pose Detection"), ("pose", "Pose Detection"), ("pose-detection", "Pose Detection"),
        ("FAST", "fast"), ("parent", "Parent Stress"),
    ])
    func readyMadeOnesAreFoundByTheirBeginning(name: String, expected: String) throws {
        #expect(try BudgetFile.budget(name).name == expected)
    }

    @Test(arguments: ["", "p", "poze detection", "none"])
    func othersAreRefused(name: String) { #expect(throws: HarnessError.self) { try BudgetFile.budget(name) } }

    @Test func aFileIsRead() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            #"{"name": "Mine", "p95Milliseconds": 40, "memoryBytes": 30000000, "hertz": 2.5, "loadSeconds": 0.5}"#,
            "mine.json"
        )
        let budget = try BudgetFile.budget(folder("mine.json"))
        #expect(budget.name == "Mine")
        #expect(budget.p95Milliseconds == 40)
        #expect(budget.memoryBytes == 30_000_000)
        #expect(budget.hertz == 2.5)
        #expect(budget.loadSeconds == 0.5)
        #expect(budget.p50Milliseconds == nil)
        #expect(budget.batteryPercentPer30Minutes == 10)
    }

    @Test(arguments: [
        (
            #"{"name": "", "p95Milliseconds": -1, "memoryByte": true}"#,
            [
                "1:1: memoryBytes: the key is missing", "1:10: name: empty text",
                "1:33: p95Milliseconds: invalid value -1; expected a number above 0, at most 1000000000000000.0",
                "1:37: memoryByte: unknown key; did you mean \"memoryBytes\"?",
            ]
        ),
        (#"[]"#, ["1:1: invalid value a list; expected a mapping"]),
        (
            #"{"name": "x", "p95Milliseconds": true, "memoryBytes": "1"}"#,
            [
                "1:34: p95Milliseconds: invalid value true; expected a number",
                "1:55: memoryBytes: invalid value \"1\"; expected a number",
            ]
        ),
        (#"{"name": "#, ["1:10: invalid JSON: expected a value, found the end"]),
    ])
    func allFaultsOfAFileHaveTheirPlaces(text: String, problems: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, "mine.json")
        let error = #expect(throws: Faults.self) { try BudgetFile.budget(folder("mine.json")) }
        #expect(error?.faults.map(\.description) == problems.map { "\(folder("mine.json")):\($0)" })
    }

    @Test func aFileThatIsNotThereIsRefused() {
        #expect(throws: HarnessError.configuration("./none.json: the file cannot be read")) {
            try BudgetFile.budget("./none.json")
        }
    }
}
