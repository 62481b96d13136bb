import Foundation
import Testing

@testable import spinebench_tools

/// Workflows that `spinebench init` writes.
@Suite struct GateTemplateTests {
    private let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path

    @Test func theWorkflowOfThisRepositoryIsWhatInitWrites() throws {
        let repository = Repository(root)
        let files = Gate.ofSpineBench.workflow(.github, in: repository)
        #expect(Array(files.keys) == [".github/workflows/gate.yml"])
        let own = try String(contentsOfFile: "\(root)/.github/workflows/gate.yml", encoding: .utf8)
        #expect(files.values.first == own)
    }

    @Test(arguments: [
        ("r=python3 r.py", "'base=cd ../base && python3 r.py' --system 'head=python3 r.py'"),
        (
            "r,timeout=5=each:x 'a'",
            #"'base,timeout=5=each:cd ../base && x '\''a'\''' --system 'head,timeout=5=each:x '\''a'\'''"#
        ),
    ])
    func theBaseHasTheReaderOfItsFolder(system: String, sides: String) {
        #expect(Gate(datasets: ["d"], system: system).compare == "base head --system \(sides) --dataset 'd'")
    }

    @Test(arguments: [nil, "r=http://localhost:8080/read"]) func oneReaderIsNotCompared(system: String?) {
        #expect(Gate(datasets: ["d"], system: system).compare.isEmpty)
    }
}
