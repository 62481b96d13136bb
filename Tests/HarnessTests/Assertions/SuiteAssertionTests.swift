import Basics
import Evaluation
import ScanningPolicies
import TestSupport
import Testing

@testable import Harness

/// The key `assert` of suites.
@Suite(.tags(.unit)) struct SuiteAssertionTests {
    private static let catalogue = VariantCatalogue(
        bases: [("fast", "fast"), ("hybrid", "hybrid"), ("upload", "upload")]
    ) { base, settings throws(SettingFaults) in settings.merging(["base": base]) { $1 } }

    private static let head = """
        suite: s
        description: One.
        variants:
          - fast
          - { base: hybrid, matrix: { network: [wifi, lte] } }
          - { base: upload, matrix: { network: [wifi] } }
        assert:

        """

    private func suite(_ entries: String) throws(Faults) -> Suite {
        try SuiteFile.parse(Self.head + entries, path: "x.yaml", catalogue: Self.catalogue)
    }

    private func problems(_ entries: String) -> [String] {
        do throws(Faults) {
            _ = try suite(entries)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test func anAssertionIsRead() throws {
        let entries = """
              - { metric: title-read, category: stylized, variants: fast, at-least: 0.85, gates: true, because: It is so. }
              - { metric: peak-footprint, within: [100, 200] }
              - { metric: peak-footprint, variants: [hybrid-*], at-most: { variant: fast, times: 1.5, plus: -10 } }
              - device: readings
                devices: [iPhone 13]
                session: { minutes: 30, policy: proactive, pause: off, ambient: 35, spine-share: 0.25 }
                below: { session: { pause: on } }
            """
        let assertions = try #require(try suite(entries).assertions)
        var title = Claim(metric: .titleRead, comparator: .atLeast, limit: 0.85, gates: false)
        (title.category, title.variants) = ("stylized", [NamePattern("fast")])
        (title.gates, title.because) = (true, "It is so.")
        // Megabytes become bytes.
        var memory = Claim(metric: .peakFootprint, comparator: .within, limit: 100_000_000, gates: false)
        memory.upperLimit = 200_000_000
        var other = Claim(metric: .peakFootprint, comparator: .atMost, limit: -10_000_000, gates: false)
        other.variants = [NamePattern("hybrid-*")]
        other.reference = Claim.Reference(variant: NamePattern("fast"), factor: 1.5)
        var readings = Claim(device: .readings, comparator: .below, limit: 0, gates: false)
        readings.devices = ["iPhone 13"]
        var session = SessionConditions()
        (session.minutes, session.thermalPolicy, session.pause) = (30, .proactive, false)
        (session.ambient, session.spineShare) = (35, 0.25)
        readings.session = session
        var on = SessionConditions()
        on.pause = true
        readings.reference = Claim.Reference(session: on)
        #expect(assertions == [title, memory, other, readings])
        #expect(readings.referenceConditions.minutes == 30 && readings.referenceConditions.pause == true)
        // Shown in full, it is the same suite.
        let text = try suite(entries).yaml { $0.settings["base"] ?? "" }
        #expect(try SuiteFile.parse(text, path: "x.yaml", catalogue: Self.catalogue).assertions == assertions)
        #expect(try suite("  []").assertions == [])
    }

    @Test(arguments: [
        (
            "{ metric: latency-p59, below: 1 }",
            "8:15: assert[0].metric: unknown metric \"latency-p59\"; did you mean"
        ),
        (
            "{ device: jules-per-book, below: 1 }",
            "8:15: assert[0].device: invalid value \"jules-per-book\"; did you mean \"joules-per-book\"?"
        ),
        ("{ below: 1 }", "8:5: assert[0]: expected exactly one of metric, device; found none"),
        (
            "{ metric: start, device: books, below: 1 }",
            "8:5: assert[0]: expected exactly one of metric, device; found metric and device"
        ),
        (
            "{ metric: start }",
            "8:5: assert[0]: expected exactly one of below, at-most, above, at-least, equals, within; found none"
        ),
        ("{ metric: start, below: 1, above: 0 }", "8:5: assert[0]: expected exactly one of below"),
        ("{ metric: start, belov: 1 }", "8:22: assert[0].belov: unknown key; did you mean \"below\""),
        (
            "{ metric: title-read, below: 85 }",
            "8:34: assert[0].below: invalid value \"85\"; expected a number from 0 to 1"
        ),
        ("{ metric: start, within: [2, 1] }", "8:30: assert[0].within: expected the lowest and the highest value"),
        (
            "{ metric: start, within: 2 }",
            "8:30: assert[0].within: invalid value \"2\"; expected a list"
        ),
        ("{ metric: start, variants: quick, below: 1 }", "8:32: assert[0].variants: unknown variant \"quick\""),
        ("{ metric: start, below: { times: 2 } }", "8:29: assert[0].below: expected the key 'variant' or 'session'"),
        ("{ metric: start, below: { variant: x-* } }", "8:40: assert[0].below.variant: unknown variant \"x-*\""),
        (
            "{ metric: start, variants: hybrid-*, below: { variant: upload-* } }",
            "8:60: assert[0].below.variant: unknown variant \"upload-lte\""
        ),
        (
            "{ metric: start, session: { pause: on }, below: 1 }",
            "8:31: assert[0].session: only assertions of a device have this key"
        ),
        (
            "{ device: books, category: stylized, below: 1 }",
            "8:32: assert[0].category: only assertions of a metric have this key"
        ),
        (
            "{ device: books, session: { policy: cold }, below: 1 }",
            "8:41: assert[0].session.policy: invalid value \"cold\"; expected seed-code, proactive, interval, none"
        ),
    ])
    func aFaultNamesItsPlace(_ entry: String, _ problem: String) {
        let found = problems("  - " + entry)
        #expect(found.contains { $0.hasPrefix("x.yaml:" + problem) }, "\(found)")
    }

    @Test func aVariantsFiguresAreThoseThatAssertionsNeed() throws {
        let suite = try suite(
            """
              - { device: books, variants: fast, at-least: { variant: hybrid-lte, session: { pause: on } } }
              - { device: skin, variants: hybrid-*, below: 40 }
              - { metric: start, below: 40 }
            """
        )
        let assertions = try #require(suite.assertions)
        var paused = SessionConditions()
        paused.pause = true
        let (plain, books) = (SessionConditions(), DeviceMetric.books)
        #expect(assertions.deviceFigures(of: "fast") == [.init(books, plain), .init(books, paused)])
        #expect(assertions.deviceFigures(of: "hybrid-lte") == [.init(books, paused), .init(.skin, plain)])
        #expect(assertions.deviceFigures(of: "upload-wifi").isEmpty)
    }

    @Test(arguments: [
        ("fast", "fast", "" as String?), ("fast", "faster", nil), ("a-*", "a-lte", "lte"), ("*-on", "fast-on", "fast"),
        ("a*a", "a", nil), ("a*a", "aa", ""), ("*", "any", "any"),
    ])
    func aStarStandsForAnyCharacters(_ pattern: String, _ name: String, _ match: String?) {
        #expect(NamePattern(pattern).match(name) == match)
    }
}
