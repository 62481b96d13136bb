import Harness
import Testing

@testable import spinebench_tools

@Suite struct AcceptTests {
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
        let rest = BaselineAccept.removing([losses[0]], from: text)
        #expect(rest.contains("# Of the first.\n  # Of the second.\n  - variant: fast"))
        #expect(try AcceptedLoss.parse(rest, path: "a.yaml").map(\.why) == ["two"])
        let other = BaselineAccept.removing([losses[1]], from: text)
        #expect(try AcceptedLoss.parse(other, path: "a.yaml").map(\.why) == ["one"])
        #expect(BaselineAccept.removing([], from: text) == text)
    }
}

@Suite struct TemplateTests {
    @Test(arguments: [
        ("r=python3 r.py", "'base=cd ../base && python3 r.py' --system 'head=python3 r.py'"),
        (
            "r,timeout=5=each:x 'a'",
            #"'base,timeout=5=each:cd ../base && x '\''a'\''' --system 'head,timeout=5=each:x '\''a'\'''"#
        ),
    ])
    func theBaseHasTheReaderOfItsFolder(system: String, sides: String) {
        #expect(Template.compare(["d"], system: system) == "base head --against base --system \(sides) --dataset 'd'")
    }

    @Test(arguments: [nil, "r=http://localhost:8080/read"]) func oneReaderIsNotCompared(system: String?) {
        #expect(Template.compare(["d"], system: system).isEmpty)
    }
}
