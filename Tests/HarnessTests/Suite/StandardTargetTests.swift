import Evaluation
import Foundation
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit)) struct StandardTargetTests {
    /// The list as configurations of runs before the file have it, from a run of 28 November 2026, without those of captures.
    @Test func theFileHasTheTargetsThatWereInTheProgram() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../Fixtures/standard-targets.json"
        )
        let before = try JSONDecoder().decode([Claim].self, from: Data(contentsOf: path))
        #expect(Claim.standard == before && before.count == 50)
    }

    /// Assertions as earlier configurations have them.
    @Test func anEarlierAssertionIsRead() throws {
        let text = """
            {"comparator": "at-most", "devices": [], "gates": true, "limit": -10, "metric": "latencyP50",
             "reference": {"factor": 1.5, "variant": "tesseract"}, "session": {}, "variants": ["fast"]}
            """
        let claim = try JSONDecoder().decode(Claim.self, from: Data(text.utf8))
        #expect(
            claim.comparator == .atMost && claim.gates && claim.source == nil && claim.patterns.map(\.text) == ["fast"]
        )
        #expect(claim.reference(of: "fast") == "tesseract" && claim.reference?.factor == 1.5)
    }
}
