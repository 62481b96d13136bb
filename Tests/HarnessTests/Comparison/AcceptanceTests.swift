import Basics
import Evaluation
import TestSupport
import Testing

@testable import Harness
@testable import Reports
@testable import Results

@Suite(.tags(.unit)) struct AcceptanceTests {
    /// B does not read the first `lost` of 100 titles, all of which A reads, and takes `factor` times as long.
    private func sides(lost: Int, factor: Double = 1) -> (a: ReadingSet, b: ReadingSet) {
        func set(_ name: String, _ unread: Int, _ factor: Double) -> ReadingSet {
            ReadingSet(
                name: name,
                entries: (0..<100).map { index in
                    Sides.entry("s\(index)", title: index >= unread, milliseconds: [(30 + Double(index % 9)) * factor])
                }
            )
        }
        return (set("A", 0, 1), set("B", lost, factor))
    }

    private let noise = NoiseFloor(
        floors: ["titleRead": .value(0), "latency": .value(0.01), "latencyP95": .value(0.01)],
        processSpread: 0.005,
        origin: "made"
    )

    /// Memory has no noise here, and could not gate.
    private let tolerances = ComparisonTolerances.standard.keeping { $0.family != .memory }

    private func entry(_ metric: Metric?, _ loss: AcceptedLoss.Size? = nil, samples: [String] = []) -> AcceptedLoss {
        var entry = AcceptedLoss(variant: "fast", dataset: "made", why: "a smaller model", until: "2026-12-31")
        (entry.metric, entry.loss, entry.samples) = (metric, loss, samples)
        return entry
    }

    /// The comparison with entries applied, and their states.
    private func judged(
        _ sides: (a: ReadingSet, b: ReadingSet),
        _ losses: [AcceptedLoss],
        today: String = "2026-11-26",
        variant: String = "fast"
    ) -> (comparison: Comparison, states: [Acceptance.Finding.State], findings: [Acceptance.Finding]) {
        var acceptance = Acceptance(losses, today: today)
        var comparison = Comparison(a: sides.a, b: sides.b, dataset: "made", noise: noise, tolerances: tolerances)
        acceptance.apply(to: &comparison, sides, variant: variant, tolerances: tolerances)
        return (comparison, acceptance.findings.map(\.state), acceptance.findings)
    }

    // 10 of 100 lost, 0 gained: McNemar p 0.002, 10 points.
    @Test func aRowWithinTheLossIsAcceptedAndTheVerdictPasses() throws {
        let loss = entry(.titleRead, .init(0.1, isRelative: false))
        let (comparison, states, _) = judged(sides(lost: 10), [loss])
        #expect(comparison.verdict == .pass && states == [.accepted])
        let row = try #require(comparison.rows.first { $0.metric == .titleRead })
        #expect(row.status == .worse && row.accepted == [loss])
        #expect(ComparisonText(row).status.hasPrefix("☑️ accepted until 2026-12-31: a smaller model"))
    }

    @Test(arguments: [AcceptedLoss.Size(0.099, isRelative: false), .init(0.09, isRelative: true)])
    func aLargerLossFails(size: AcceptedLoss.Size) {
        let (comparison, states, _) = judged(sides(lost: 10), [entry(.titleRead, size)])
        #expect(comparison.verdict == .fail && states == [.exceeded])
    }

    @Test func noOtherRowIsHidden() {
        let loss = entry(.titleRead, .init(0.2, isRelative: false))
        let (comparison, states, _) = judged(sides(lost: 10, factor: 1.3), [loss])
        #expect(comparison.verdict == .fail && states == [.accepted])
        #expect(Set(comparison.regressions.map(\.metric)) == [.latency, .latencyP95])
    }

    @Test func anotherVariantIsElsewhere() {
        let (comparison, states, _) = judged(
            sides(lost: 10),
            [entry(.titleRead, .init(1, isRelative: false))],
            variant: "b"
        )
        #expect(comparison.verdict == .fail && states == [.elsewhere])
    }

    @Test func theLastDayCountsAndTheNextHasExpired() {
        let loss = entry(.titleRead, .init(0.1, isRelative: false))
        #expect(judged(sides(lost: 10), [loss], today: "2026-12-31").states == [.accepted])
        let late = judged(sides(lost: 10), [loss], today: "2027-01-01")
        #expect(late.states == [.expired] && late.comparison.verdict == .fail)
        #expect(late.findings[0].fails && late.findings[0].text.contains("accepted until 2026-12-31 only"))
    }

    @Test func aLossThatIsGoneIsBetterAgain() {
        let losses = [entry(.titleRead, .init(0.1, isRelative: false)), entry(.latency, .init(0.3, isRelative: true))]
        let (comparison, states, findings) = judged(sides(lost: 0), losses)
        #expect(comparison.verdict == .pass && states == [.better, .better])
        #expect(findings.allSatisfy(\.fails) && findings[0].text.contains("better again: remove it"))
    }

    @Test func aSmallRestWithinTheToleranceIsNotBetterYet() {
        // One of 100 lost: within 2 points, and Tango's interval is wider.
        let (comparison, states, _) = judged(sides(lost: 1), [entry(.titleRead, .init(0.1, isRelative: false))])
        #expect(comparison.verdict == .pass && states == [.undecided])
    }

    @Test func namedSamplesMayBeLostAndNoOthers() {
        let named = (0..<10).map { "s\($0)" }
        let all = judged(sides(lost: 10), [entry(nil, samples: named)])
        #expect(all.comparison.verdict == .pass && all.states == [.accepted])
        // 8 further ones of 90 are lost: 8.9 points, p 0.008.
        let more = judged(sides(lost: 18), [entry(nil, samples: named)])
        #expect(more.comparison.verdict == .fail && more.states == [.exceeded])
        let again = judged(sides(lost: 9), [entry(nil, samples: named)])
        #expect(again.comparison.verdict == .pass && again.findings[0].again == ["s9"] && again.findings[0].fails)
    }

    @Test func aNamedSampleThatIsReadAgainFails() {
        let (_, states, findings) = judged(sides(lost: 0), [entry(.titleRead, samples: ["s3"])])
        #expect(states == [.better] && findings[0].again == ["s3"])
        #expect(findings[0].text.contains("better again (s3)"))
    }

    @Test func aMissedTargetIsAcceptedByAnEntryOfItsOwn() throws {
        var result = try GoldenRun.result()
        let row = try #require(result.compliance.firstIndex { $0.gates && $0.value.value != nil })
        // A limit that the figure misses by 0.01.
        let isLowerBound = result.compliance[row].target.comparator.isLowerBound
        result.compliance[row].target.limit = result.compliance[row].value.value! + (isLowerBound ? 0.01 : -0.01)
        result.compliance[row].judgement.verdict = .fail
        let requirement = result.compliance[row]
        var loss = AcceptedLoss(
            variant: "fast",
            dataset: result.measurements[0].dataset,
            why: "known",
            until: "2026-12-31"
        )
        (loss.metric, loss.category, loss.against) = (requirement.metric, requirement.target.category, .target)
        loss.loss = .init(0.01, isRelative: false)
        var acceptance = Acceptance([loss], today: "2026-11-26")
        acceptance.apply(to: &result)
        #expect(result.compliance[row].accepted == [loss] && result.compliance[row].verdict == .pass)
        #expect(result.compliance.filter { $0.accepted != nil }.count == 1)
        #expect(acceptance.findings[0].state == .accepted)
        #expect(RequirementText(row: result.compliance[row]).status.contains("accepted until 2026-12-31: known"))
        #expect(RequirementMatrix(result).table.rows.joined().contains { $0.contains("☑️") })
        loss.loss = .init(0, isRelative: false)
        var strict = Acceptance([loss], today: "2026-11-26")
        strict.apply(to: &result)
        #expect(strict.findings[0].state == .exceeded)
    }

    @Test func servicesShowAnAcceptedRow() {
        let loss = entry(.titleRead, .init(0.1, isRelative: false))
        let comparison = judged(sides(lost: 10), [loss]).comparison
        let report = ComparisonReport(tool: "t", method: "m", tolerances: tolerances, comparisons: [comparison])
        let checks = CheckReport(report)
        #expect(checks.checks.first { $0.name == "title read" }?.outcome == .accepted)
        let junit = String(decoding: JUnitXML.bytes(checks), as: UTF8.self)
        #expect(junit.contains("failures=\"0\"") && junit.contains("accepted until 2026-12-31: a smaller model"))
        #expect(GitHubActions.annotations(checks).contains("::notice title=made%3A B against A%3A title read::"))
        #expect(checks.sentence.hasPrefix("B is not worse than A in any row that gates, but for accepted losses."))
    }
}
