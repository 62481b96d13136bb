import Basics
import Evaluation
import Foundation
import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit)) struct AcceptedLossTests {
    private static let fields = [
        "variant: fast", "dataset: made", "metric: title-read", "loss: 2 points", "why: a smaller model",
        "until: 2026-12-31",
    ]

    /// An entry with some lines replaced, by their keys; an empty line removes one.
    private func entry(_ changes: [String: String] = [:]) -> String {
        let known = Self.fields.map { String($0.prefix { $0 != ":" }) }
        let kept = zip(known, Self.fields).map { changes[$0] ?? $1 }
        let added = changes.filter { !known.contains($0.key) }.map(\.value)
        return "accepted:\n  - " + (kept + added).filter { !$0.isEmpty }.joined(separator: "\n    ") + "\n"
    }

    private func faults(_ text: String) -> String {
        do throws(Faults) {
            _ = try AcceptedLoss.parse(text, path: "a.yaml")
            return ""
        } catch {
            return error.description
        }
    }

    @Test func anEntryIsReadWithItsPlace() throws {
        let text = "# Why.\n" + entry(["by": "by: A. Nother"])
        let loss = try #require(try AcceptedLoss.parse(text, path: "a.yaml").first)
        #expect(loss.metric == .titleRead && loss.loss == .init(0.02, isRelative: false) && loss.samples.isEmpty)
        #expect(loss.variant == "fast" && loss.dataset == "made" && loss.against == .baseline)
        #expect(loss.place == "a.yaml:3")
        #expect(loss.phrase == "accepted by A. Nother until 2026-12-31: a smaller model")
    }

    @Test(arguments: [
        ("latency-p95", "5 %", 0.05, true), ("latency-p95", "3.5 ms", 3.5, false), ("p95", "3ms", 3, false),
        ("peak-footprint", "4 MB", 4e6, false), ("title-read", "1 point", 0.01, false), ("latency", "7%", 0.07, true),
    ])
    func aLossHasTheUnitOfItsMetric(metric: String, text: String, value: Double, isRelative: Bool) throws {
        let yaml = entry(["metric": "metric: \(metric)", "loss": "loss: \(text)"])
        let loss = try #require(try AcceptedLoss.parse(yaml, path: "a.yaml").first?.loss)
        #expect(abs(loss.value - value) < 1e-12 && loss.isRelative == isRelative)
    }

    @Test func samplesNeedNoMetric() throws {
        let text = entry(["metric": "", "loss": "samples: [s1, s2]"])
        let loss = try #require(try AcceptedLoss.parse(text, path: "a.yaml").first)
        #expect(loss.samples == ["s1", "s2"] && loss.metric == nil && loss.loss == nil)
    }

    @Test func faultsHaveTheirPlaces() {
        #expect(
            faults(entry(["wy": "wy: x"])).contains("a.yaml:8:5: accepted[0].wy: unknown key; did you mean \"why\"?")
        )
        #expect(
            faults(entry(["metric": "metric: title-reed"])).contains("a.yaml:4:13: accepted[0].metric: unknown metric")
        )
        #expect(faults(entry(["loss": "loss: 3 ms"])).contains("a.yaml:5:11: accepted[0].loss: invalid value \"3 ms\""))
        #expect(
            faults(entry(["metric": "metric: latency", "loss": "loss: 3 ms"])).contains("expected a loss such as 5 %")
        )
        #expect(faults(entry(["until": "until: 2026-02-30"])).contains("expected a date such as 2026-12-31"))
        #expect(faults(entry(["why": ""])).contains("why: the key is missing"))
        #expect(faults(entry(["samples": "samples: [s1]"])).contains("expected exactly one of loss, samples"))
        #expect(faults(entry(["category": "category: vertical"])).contains("a category is of a target"))
        #expect(faults("").contains("the file is empty"))
        #expect(faults("losses: []").contains("unknown key"))
        #expect(faults("accepted: 3").contains("expected a list"))
        #expect(faults("accepted: []\n").isEmpty)
    }

    @Test(arguments: [
        ("2026-12-31", true), ("2024-02-29", true), ("2026-02-29", false), ("2026-1-1", false), ("", false),
    ])
    func aDateIsADayOfTheCalendar(text: String, isDate: Bool) {
        #expect(AcceptedLoss.isDate(text) == isDate)
    }

    @Test func theManualExplainsEveryKey() throws {
        let manual = URL(filePath: #filePath).appending(path: "../../../../Docs/COMPARING.md").standardizedFileURL
        let text = try String(contentsOf: manual, encoding: .utf8)
        let table = try #require(text.firstRange(of: "## Accepted losses")).upperBound
        for key in AcceptedEntry.CodingKeys.allCases.map(\.rawValue) {
            #expect(text[table...].contains("`\(key)`"), "\(key)")
        }
    }
}
