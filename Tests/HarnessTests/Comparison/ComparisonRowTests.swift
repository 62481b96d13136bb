import Basics
import Evaluation
import TestSupport
import Testing

@testable import Harness
@testable import Reports

@Suite(.tags(.unit)) struct ComparisonRowTests {
    /// A row, and its judgement.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var metric = Metric.latency
        var values = (a: 40.0, b: 44.0)
        var change: Double
        var interval: ClosedRange<Double>?
        var noise: Double? = 0.01
        var category = "all"
        var status: ComparisonRow.Status = .noDifference
        var gates = true
        var note = ""

        var row: ComparisonRow {
            var row = ComparisonRow(
                metric,
                a: .value(values.a),
                b: .value(values.b),
                change: .value(change),
                interval: interval.map { .value($0) } ?? .absent("needs ≥ 10 groups, there are 3")
            )
            row.category = category
            row.judge(noise: noise.map { .value($0) } ?? .absent("no noise floor"), .standard)
            return row
        }

        init(
            _ description: String,
            _ change: Double,
            _ interval: ClosedRange<Double>?,
            _ status: ComparisonRow.Status,
            _ set: (inout Case) -> Void = { _ in }
        ) {
            (testDescription, self.change, self.interval, self.status) = (description, change, interval, status)
            set(&self)
        }
    }

    @Test(arguments: [
        Case("certain and beyond tolerance and noise", 0.1, 0.08...0.12, .worse),
        Case("within the tolerance", 0.04, 0.03...0.05, .noDifference) { $0.note = "worse, within the tolerance" },
        Case("the interval includes 0", 0.04, -0.001...0.2, .noDifference),
        Case("more than is accepted, which may be chance or not", 0.1, -0.001...0.2, .undecided) {
            $0.note = "exceeds the tolerance, but not significantly: more samples are needed"
        },
        Case("noise above the tolerance", 0.06, 0.05...0.07, .undecided) {
            ($0.noise, $0.gates) = (0.071, false)
            $0.note = "noise 7.1 % exceeds the gate of 5.0 %: a change below it cannot gate on this machine"
        },
        Case("worse however noisy the machine", 0.2, 0.15...0.25, .worse) { $0.noise = 0.071 },
        Case("much worse however noisy the machine", 2.5, 1.9...3.2, .worse) { $0.noise = 0.6 },
        Case("better however noisy the machine", -0.4, -0.5 ... -0.3, .better) { $0.noise = 0.071 },
        Case("no noise floor", 0.2, 0.15...0.25, .undecided) {
            ($0.noise, $0.gates, $0.note) = (nil, false, "no noise floor, so it does not gate")
        },
        Case("no interval", 0.2, nil, .undecided) { $0.note = "needs ≥ 10 groups, there are 3" },
        Case("fewer titles", -0.05, -0.08 ... -0.02, .worse) {
            ($0.metric, $0.values, $0.noise) = (.titleRead, (0.9, 0.85), 0)
        },
        Case("more titles", 0.05, 0.02...0.08, .better) {
            ($0.metric, $0.values, $0.noise) = (.titleRead, (0.85, 0.9), 0)
        },
        Case("faster", -0.05, -0.08 ... -0.02, .better),
        Case("faster by less than the noise", -0.005, -0.008 ... -0.002, .noDifference),
        Case("9 MB more", 0.09, 0.08...0.1, .noDifference) {
            ($0.metric, $0.values, $0.note) = (.peakFootprint, (100e6, 109e6), "worse, within the tolerance")
        },
        Case("11 MB more", 0.11, 0.1...0.12, .worse) { ($0.metric, $0.values) = (.peakFootprint, (100e6, 111e6)) },
        Case("a category", 0.1, 0.08...0.12, .worse) { ($0.category, $0.gates) = ("stylized", false) },
    ])
    func aRowIsJudged(_ one: Case) {
        let row = one.row
        #expect(row.status == one.status && row.gates == one.gates && row.note == one.note, "\(row)")
        #expect((row.tolerance == nil) == (one.category != "all"))
    }

    @Test func aRowIsSaidInASentence() {
        let row = Case("", 0.1, 0.08...0.12, .worse).row
        #expect(row.phrase == "latency shift +10.0 % [+8.0 %, +12.0 %], tolerance 5.0 %")
    }
}
