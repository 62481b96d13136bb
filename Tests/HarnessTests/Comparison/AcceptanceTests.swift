import Basics
import Documents
import Evaluation
import TestSupport
import Testing

@testable import Harness
@testable import Reports

@Suite(.tags(.unit)) struct AcceptanceTests {
    /// Memory has no noise here, and could not gate.
    private static let tolerances = ComparisonTolerances.standard.keeping { $0.family != .memory }

    /// Entries at a gate: B does not read the first `lost` of 100 titles, all of which A reads, and takes `factor` times as
    /// long.
    struct Case: Sendable {
        var lost = 10
        var factor = 1.0
        var losses: [AcceptedLoss]
        var today = "2026-11-26"
        var variant = "fast"
        var verdict: Verdict? = .pass
        var states: [Acceptance.Finding.State] = [.accepted]
        var again: [String] = []
        /// Of the first finding.
        var text = ""

        func judged() -> (sides: Sides, findings: [Acceptance.Finding]) {
            func side(_ name: String, _ unread: Int, _ factor: Double) -> ReadingSet {
                ReadingSet(
                    name: name,
                    entries: (0..<100).map { index in
                        let milliseconds = (30 + Double(index % 9)) * factor
                        return MadeSides.entry("s\(index)", title: index >= unread, milliseconds: [milliseconds])
                    }
                )
            }
            let noise = NoiseFloor(
                floors: [.titleRead: .value(0), .latency: .value(0.01), .latencyP95: .value(0.01)],
                processSpread: 0.005,
                origin: "made"
            )
            let both = [side("A", 0, 1), side("B", lost, factor)]
            var acceptance = Acceptance(losses, today: today)
            var sides = Sides(both, dataset: "made", noise: noise, tolerances: tolerances)
            acceptance.apply(to: &sides, variant: variant, tolerances: tolerances)
            return (sides, acceptance.findings)
        }
    }

    private static func entry(
        _ metric: Metric?,
        _ loss: Double? = nil,
        isRelative: Bool = false,
        samples: [String] = []
    ) -> AcceptedLoss {
        var entry = AcceptedLoss(variant: "fast", dataset: "made", why: "a smaller model", until: "2026-12-31")
        (entry.metric, entry.loss) = (metric, loss.map { .init($0, isRelative: isRelative) })
        entry.samples = samples
        return entry
    }

    /// 10 of 100 lost, 0 gained: McNemar p 0.002, 10 points.
    private static let tenPoints = entry(.titleRead, 0.1)
    private static let ten = entry(nil, samples: (0..<10).map { "s\($0)" })

    @Test(arguments: [
        Case(losses: [tenPoints]),
        // A larger loss fails.
        Case(losses: [entry(.titleRead, 0.099)], verdict: .fail, states: [.exceeded]),
        Case(losses: [entry(.titleRead, 0.09, isRelative: true)], verdict: .fail, states: [.exceeded]),
        // No other row or variant is hidden.
        Case(factor: 1.3, losses: [entry(.titleRead, 0.2)], verdict: .fail),
        Case(losses: [entry(.titleRead, 1)], variant: "b", verdict: .fail, states: [.elsewhere]),
        // The last day counts, and the next one is too late.
        Case(losses: [tenPoints], today: "2026-12-31"),
        Case(
            losses: [tenPoints],
            today: "2027-01-01",
            verdict: .fail,
            states: [.expired],
            text: "accepted until 2026-12-31 only"
        ),
        // A loss that is gone is better again.
        Case(
            lost: 0,
            losses: [tenPoints, entry(.latency, 0.3, isRelative: true)],
            states: [.better, .better],
            text: "no longer lost, and an entry that stays would hide the next loss: remove it"
        ),
        // One of 100 lost: within 2 points, and Tango's interval is wider.
        Case(lost: 1, losses: [tenPoints], states: [.undecided]),
        // Named samples may be lost, and no others: 8 further ones of 90 are 8.9 points, p 0.008.
        Case(losses: [ten]), Case(lost: 18, losses: [ten], verdict: .fail, states: [.exceeded]),
        Case(lost: 9, losses: [ten], states: [.accepted], again: ["s9"], text: "no longer lost (s9)"),
        Case(
            lost: 0,
            losses: [entry(.titleRead, samples: ["s3"])],
            states: [.better],
            again: ["s3"],
            text: "no longer lost (s3)"
        ),
    ])
    func entriesAreJudged(_ one: Case) {
        let (sides, findings) = one.judged()
        #expect(sides.comparisons[0].verdict == one.verdict && findings.map(\.state) == one.states)
        #expect(findings[0].again == one.again && findings[0].text.contains(one.text))
        #expect(findings.allSatisfy { $0.fails == !one.text.isEmpty })
        if one.factor > 1 { #expect(sides.comparisons[0].regressions.map(\.metric) == [.latency, .latencyP95]) }
    }

    @Test func anAcceptedRowNamesItsEntry() throws {
        let row = try #require(
            Case(losses: [Self.tenPoints]).judged().sides.comparisons[0][.titleRead]
        )
        #expect(row.status == .worse && row.accepted == [Self.tenPoints])
        #expect(row.statusText.hasPrefix("☑️ accepted until 2026-12-31: a smaller model"))
    }

    @Test func aMissedTargetIsAcceptedByAnEntryOfItsOwn() throws {
        var result = try GoldenRun.result()
        let row = try #require(result.compliance.firstIndex { $0.gates && $0.value.value != nil })
        // A limit that the figure misses by 0.01.
        let isLowerBound = result.compliance[row].claim.comparator.isLowerBound
        result.compliance[row].claim.limit = result.compliance[row].value.value! + (isLowerBound ? 0.01 : -0.01)
        result.compliance[row].judgement.verdict = .fail
        let requirement = result.compliance[row]
        var loss = AcceptedLoss(
            variant: "fast",
            dataset: result.measurements[0].dataset,
            why: "known",
            until: "2026-12-31"
        )
        (loss.metric, loss.category, loss.against) = (requirement.metric, requirement.claim.category, .target)
        loss.loss = .init(0.01, isRelative: false)
        var acceptance = Acceptance([loss], today: "2026-11-26")
        acceptance.apply(to: &result)
        #expect(result.compliance[row].accepted == [loss] && result.compliance[row].verdict == .pass)
        #expect(result.compliance.filter { $0.accepted != nil }.count == 1)
        #expect(acceptance.findings[0].state == .accepted)
        #expect(AnswerText(result.compliance[row]).status.contains("accepted until 2026-12-31: known"))
        #expect(RequirementMatrix(result).table.rows.joined().contains { $0.contains("☑️") })
        loss.loss = .init(0, isRelative: false)
        var strict = Acceptance([loss], today: "2026-11-26")
        strict.apply(to: &result)
        #expect(strict.findings[0].state == .exceeded)
    }

    @Test func servicesShowAnAcceptedRow() {
        let sides = Case(losses: [Self.tenPoints]).judged().sides
        let report = ComparisonReport(tool: "t", method: "m", tolerances: Self.tolerances, parts: [sides])
        let checks = CheckReport(report)
        #expect(checks.checks.first { $0.name == "title read" }?.outcome == .accepted)
        let junit = String(decoding: JUnitXML.bytes(checks), as: UTF8.self)
        #expect(junit.contains("failures=\"0\"") && junit.contains("accepted until 2026-12-31: a smaller model"))
        #expect(GitHubActions.annotations(checks).contains("::notice title=made%3A B against A%3A title read::"))
        #expect(checks.sentence.hasPrefix("B is not worse than A in any row that gates, but for accepted losses."))
    }
}
