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
                "unknown key \"memoryByte\" of a budget: did you mean \"memoryBytes\"?",
                "\"name\" is missing or not text",
                "\"p95Milliseconds\" is -1; expected a number above 0", "\"memoryBytes\" is missing",
            ]
        ),
        (#"[]"#, ["expected an object with the keys of a budget"]),
        (
            #"{"name": "x", "p95Milliseconds": true, "memoryBytes": "1"}"#,
            ["\"p95Milliseconds\" is", "\"memoryBytes\" is text"]
        ),
        (#"{"name": "#, ["is not JSON"]),
    ])
    func allThatIsWrongIsSaid(text: String, problems: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, "mine.json")
        let error = #expect(throws: HarnessError.self) { try BudgetFile.budget(folder("mine.json")) }
        for problem in problems { #expect(error?.description.contains(problem) == true, "\(problem)") }
    }

    @Test func aFileThatIsNotThereIsRefused() {
        #expect(throws: HarnessError.configuration("./none.json: the file cannot be read")) {
            try BudgetFile.budget("./none.json")
        }
    }
}
