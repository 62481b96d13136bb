import Evaluation
import Harness
import Testing

@testable import spinebench_tools

@Suite struct BlessTests {
    @Test func anEntryIsRemovedWithItsLinesAlone() throws {
        let text = """
            # Head.
            accepted:
              # Of the first.
              - variant: fast
                dataset: made
                metric: title-read
                loss: 2 points
                why: one
                until: 2026-12-31
              # Of the second.
              - variant: fast
                dataset: made
                metric: latency
                loss: 5 %
                why: two
                until: 2026-12-31

            """
        let losses = try AcceptedLoss.parse(text, path: "a.yaml")
        #expect(losses.map(\.place) == ["a.yaml:4", "a.yaml:11"])
        let rest = BlessCommand.removing([losses[0]], from: text)
        #expect(rest.contains("# Of the first.\n  # Of the second.\n  - variant: fast"))
        #expect(try AcceptedLoss.parse(rest, path: "a.yaml").map(\.why) == ["two"])
        let other = BlessCommand.removing([losses[1]], from: text)
        #expect(try AcceptedLoss.parse(other, path: "a.yaml").map(\.why) == ["one"])
        #expect(BlessCommand.removing([], from: text) == text)
    }
}
