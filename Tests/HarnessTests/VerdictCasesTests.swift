import Basics
import Evaluation
import SpineDatasets
import TestSupport
import Testing

@testable import Harness

/// Verdicts of figures against limits, with each exception: a line for each case in `verdicts.txt`.
@Suite(.tags(.unit)) struct VerdictCasesTests {
    private struct Setting {
        var count = 100
        var read = 95
        var milliseconds = 12.0
        var metric = Metric.titleRead
        var comparator = Bound.Comparator.atLeast
        var limit = 0.85
        var rule = DecisionRule.point
        var isStopped = false
        var isPhone = false
        var target: (inout Claim) -> Void = { _ in }
        var variant: (inout Variant) -> Void = { _ in }
        var record: (inout SampleRecord) -> Void = { _ in }
        var result: (inout MeasurementResult) -> Void = { _ in }
    }

    private static func busy(_ result: inout MeasurementResult) {
        result.validity.append(ValidityRule("load", required: "low", seen: "high", isMet: false, invalidates: false))
    }

    private static func invalid(_ result: inout MeasurementResult) {
        result.validity.append(ValidityRule("workers lost", required: "0", seen: "1", isMet: false))
    }

    private static func late(_ record: inout SampleRecord) {
        guard record.position < 10 else { return }
        (record.outcome, record.milliseconds, record.prediction) = (.timedOut, nil, nil)
    }

    private static func elsewhere(_ variant: inout Variant, isPhone: Bool) {
        variant.origin = ReadingOrigin(
            files: [],
            repetitions: 1,
            system: nil,
            recorder: nil,
            device: "iPhone",
            isPhone: isPhone
        )
        variant.evidence = .reported
    }

    private static func fast(_ setting: inout Setting) {
        (setting.metric, setting.comparator, setting.limit) = (.latencyP95, .below, 50)
    }

    private static func memory(_ setting: inout Setting) {
        (setting.metric, setting.comparator, setting.limit) = (.peakFootprint, .below, 200_000_000)
    }

    private static func sent(_ setting: inout Setting) {
        (setting.metric, setting.comparator, setting.limit) = (.bytesSent, .atMost, 0)
    }

    private typealias Case = (name: String, change: (inout Setting) -> Void)

    private static var shares: [Case] {
        [
            ("share met", { _ in }),
            ("share missed", { $0.read = 50 }),
            ("share on its limit", { $0.read = 85 }),
            ("share near its limit", { $0.read = 84 }),
            ("share near its limit, by interval", { ($0.read, $0.rule) = (84, .interval) }),
            ("share of few", { ($0.count, $0.read) = (20, 20) }),
            ("share of few, by interval", { ($0.count, $0.read, $0.rule) = (20, 20, .interval) }),
            ("share of few, missed", { ($0.count, $0.read) = (20, 5) }),
            ("share of one", { ($0.count, $0.read) = (1, 0) }),
            ("share of nothing read", { $0.record = { ($0.outcome, $0.prediction) = (.failed, nil) } }),
            ("share of a missing category", { $0.target = { $0.category = "inverted" } }),
            ("share of a missing category, asked", { $0.target = { ($0.category, $0.isAsked) = ("inverted", true) } }),
            ("share missed as expected", { ($0.read, $0.target) = (50, { $0.expectedMiss = "known" }) }),
            ("share that does not gate", { $0.target = { $0.gates = false } }),
            ("share of a variant that does not gate", { $0.variant = { $0.gates = false } }),
            ("share of an unknown text", { $0.record = { $0.prediction?.linesProblem = "not said" } }),
            ("share of books without any", { $0.metric = .identified }),
            ("share of shelves of a reader of spines", { $0.metric = .bookRecall }),
            ("share of an invalid measurement", { $0.result = invalid }),
            ("share in time of an invalid measurement", { ($0.metric, $0.result) = (.readInTime, invalid) }),
            ("share of an imported reader", { $0.variant = { elsewhere(&$0, isPhone: false) } }),
            ("share of a stopped run", { $0.isStopped = true }),
        ]
    }

    private static var times: [Case] {
        [
            ("latency met", { fast(&$0) }),
            (
                "latency missed",
                {
                    fast(&$0)
                    $0.milliseconds = 60
                }
            ),
            (
                "latency of few, missed",
                {
                    fast(&$0)
                    ($0.count, $0.milliseconds) = (40, 60)
                }
            ),
            (
                "latency of few, met",
                {
                    fast(&$0)
                    $0.count = 40
                }
            ),
            (
                "latency of one",
                {
                    fast(&$0)
                    $0.count = 1
                }
            ),
            (
                "latency with timeouts",
                {
                    fast(&$0)
                    $0.record = late
                }
            ),
            (
                "latency with timeouts, invalid",
                {
                    fast(&$0)
                    ($0.record, $0.result) = (late, invalid)
                }
            ),
            (
                "latency met, invalid",
                {
                    fast(&$0)
                    $0.result = invalid
                }
            ),
            (
                "latency met, busy",
                {
                    fast(&$0)
                    $0.result = busy
                }
            ),
            (
                "latency missed, busy",
                {
                    fast(&$0)
                    ($0.milliseconds, $0.result) = (60, busy)
                }
            ),
            (
                "latency met, modelled",
                {
                    fast(&$0)
                    $0.variant = { $0.evidence = .modelled }
                }
            ),
            (
                "phone's limit met here",
                {
                    fast(&$0)
                    $0.target = { $0.machine = .phone }
                }
            ),
            (
                "phone's limit with timeouts here",
                {
                    fast(&$0)
                    ($0.target, $0.record) = ({ $0.machine = .phone }, late)
                }
            ),
            (
                "phone's limit on a phone",
                {
                    fast(&$0)
                    ($0.target, $0.isPhone) = ({ $0.machine = .phone }, true)
                }
            ),
            (
                "phone's limit, imported from a phone",
                {
                    fast(&$0)
                    ($0.target, $0.variant) = ({ $0.machine = .phone }, { elsewhere(&$0, isPhone: true) })
                }
            ),
            (
                "imported, and its evidence admitted",
                {
                    fast(&$0)
                    ($0.target, $0.variant) = ({ $0.evidence = [.reported] }, { elsewhere(&$0, isPhone: false) })
                }
            ),
            (
                "imported without times",
                {
                    fast(&$0)
                    ($0.record, $0.variant) = ({ $0.milliseconds = nil }, { elsewhere(&$0, isPhone: false) })
                }
            ),
            (
                "milestone that nothing reached",
                {
                    fast(&$0)
                    $0.metric = .timeToEnrichedP95
                }
            ),
            (
                "latency of a stopped run",
                {
                    fast(&$0)
                    $0.isStopped = true
                }
            ),
        ]
    }

    private static var others: [Case] {
        [
            (
                "memory met",
                {
                    memory(&$0)
                    $0.record = { $0.memory = .made(footprint: 1, peak: 150_000_000) }
                }
            ),
            (
                "memory missed",
                {
                    memory(&$0)
                    $0.record = { $0.memory = .made(footprint: 1, peak: 250_000_000) }
                }
            ),
            ("memory unknown", { memory(&$0) }),
            (
                "memory not in the file",
                {
                    memory(&$0)
                    $0.variant = { elsewhere(&$0, isPhone: false) }
                }
            ),
            ("bytes claimed", { sent(&$0) }),
            (
                "bytes claimed, gates if measured",
                {
                    sent(&$0)
                    $0.target = { $0.gatesIfMeasured = true }
                }
            ),
            (
                "bytes counted",
                {
                    sent(&$0)
                    $0.record = { $0.prediction?.traffic = Traffic(refusedSockets: 0) }
                }
            ),
            (
                "bytes of some scans",
                {
                    sent(&$0)
                    $0.record = { if $0.position > 0 { $0.prediction?.traffic = Traffic(refusedSockets: 0) } }
                }
            ),
            (
                "bytes with refused sockets",
                {
                    sent(&$0)
                    $0.record = { $0.prediction?.traffic = Traffic(refusedSockets: 2) }
                }
            ),
            ("no scenario's figure", { ($0.metric, $0.comparator, $0.limit) = (.longestLoad, .below, 50) }),
        ]
    }

    @Test func verdictsAreAsTheyWereApproved() throws {
        let lines = try (Self.shares + Self.times + Self.others).map { one in
            let row = try Self.row(one.change)
            let value = row.value.value.map { NumberText.short($0) } ?? "– (\(row.value.reason ?? ""))"
            return "\(one.name): \(row.judgement.verdict.rawValue), \(row.gates ? "gates" : "does not gate"), "
                + "\(row.evidence.rawValue), \(value); \(row.judgement.note)"
        }
        try GoldenFile("verdicts.txt").expect(lines.joined(separator: "\n") + "\n")
    }

    private static func row(_ change: (inout Setting) -> Void) throws -> Answer {
        var setting = Setting()
        change(&setting)
        var variant = Variant(name: "fast", tier: "fast", gates: true)
        setting.variant(&variant)
        var target = Claim(source: "S", metric: setting.metric, comparator: setting.comparator, limit: setting.limit)
        setting.target(&target)
        var host = HostDescription.made()
        host.isPhone = setting.isPhone ? true : nil
        let run = MadeRun(
            (0..<setting.count).map { .made("s\($0)", title: "Title") },
            [variant],
            targets: [target],
            milliseconds: setting.milliseconds,
            host: host
        ) { record, _ in
            record.prediction?.lines[0].text = record.position < setting.read ? "TITLE" : "?"
            setting.record(&record)
        }
        var result = try run.result().measurements[0]
        result.validity = result.validity.filter { $0.isMet }
        if setting.isStopped { result.planned += 1 }
        setting.result(&result)
        return Judge(measurements: [result], rule: setting.rule, host: host, isStopped: setting.isStopped)
            .answer(target, of: result)
    }
}
