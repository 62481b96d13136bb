import Basics
import DeviceSimulation
import Documents
import Evaluation
import Harness
import ScanningPolicies
import SpineDatasets
import Statistics

/// E-05: text or picture to the back end, spine by spine: books named, time, bytes, and modelled energy (S2-53).
struct HybridQuestion {
    let input: ExperimentInput

    /// Points by which the share of books may be less and still count as many: what a comparison accepts of titles.
    static let tolerance = ComparisonTolerances.standard[.titleRead] ?? 0.02

    /// One network behind which both were run.
    private struct Pair {
        var text: MeasurementResult
        var picture: MeasurementResult
        var network: String
        /// Spines whose book the catalogue has, by whether text and picture named it, and the photos that they are from.
        var named: [(text: Bool, picture: Bool, group: String?)] = []
        /// Of the same spines: how much less time text takes than the picture, in ms; infinite ends are left out.
        var sooner: [(milliseconds: Double, group: String?)] = []
        /// Spines that one of them never answered.
        var unanswered = 0
        var joules: (text: ClosedRange<Double>, picture: ClosedRange<Double>)?

        /// Text less picture, as a share.
        var points: Double {
            Double(named.count { $0.text } - named.count { $0.picture }) / Double(max(1, named.count))
        }

        var difference: IntervalFigure {
            named.isEmpty
                ? .absent("no spine of a book in the catalogue")
                : GroupBootstrap(groups: RateEstimate.numbered(named.map(\.group)).groups)
                    .ofRateDifference(named.map(\.picture), named.map(\.text))
        }

        var shift: HodgesLehmann { HodgesLehmann(differences: sooner.map(\.milliseconds)) }

        /// Of independent spines as Wilcoxon's, of photos with several by resampling those.
        var shiftInterval: IntervalFigure {
            let bootstrap = GroupBootstrap(groups: RateEstimate.numbered(sooner.map(\.group)).groups, resamples: 500)
            guard bootstrap.groupCount < sooner.count else { return shift.interval }
            let values = sooner.map(\.milliseconds)
            return bootstrap.interval { weights in
                HodgesLehmann.estimate(of: zip(values, weights).flatMap { [Double](repeating: $0, count: $1) })
            }
        }

        var bytes: (text: Double, picture: Double)? {
            text.traffic.flatMap { own in picture.traffic.map { (own.sentPerScan, $0.sentPerScan) } }
        }

        var namesAsMany: Finding.Decision {
            guard let interval = difference.value else { return .undecided }
            if interval.upperBound < -HybridQuestion.tolerance { return .doesNotHold }
            return interval.lowerBound >= -HybridQuestion.tolerance ? .holds : .undecided
        }

        var isSooner: Finding.Decision {
            guard let interval = shiftInterval.value else { return .undecided }
            return interval.lowerBound > 0 ? .holds : interval.upperBound <= 0 ? .doesNotHold : .undecided
        }

        var sendsLess: Finding.Decision { bytes.map { $0.text < $0.picture ? .holds : .doesNotHold } ?? .undecided }

        var decision: Finding.Decision { .overall([namesAsMany, isSooner, sendsLess]) }
    }

    var finding: Finding {
        let pairs = pairs.map(filled)
        guard !pairs.isEmpty else {
            return input.unanswered(
                .hybrid,
                "it needs hybrid and talaria-only over the same spines and the same network"
            )
        }
        func count(_ part: (Pair) -> Finding.Decision) -> String {
            "\(pairs.count { part($0) == .holds }) of \(pairs.count)"
        }
        let named = pairs.map(\.points)
        let shifts = pairs.compactMap(\.shift.estimate.value)
        let bytes = pairs.compactMap(\.bytes)
        let joules = pairs.compactMap(\.joules)
        let answer =
            "Text names as many books as the picture behind \(count(\.namesAsMany)) networks (\(Self.points(named))), is sooner behind "
            + "\(count(\.isSooner))" + Self.range(shifts, NumberText.milliseconds, " less")
            + " and sends less behind \(count(\.sendsLess))"
            + (bytes.isEmpty
                ? ""
                : " (\(NumberText.bytes(bytes.map(\.text).max() ?? 0)) at most beside \(NumberText.bytes(bytes.map(\.picture).min() ?? 0)))")
            + (joules.isEmpty ? "; no device to model its energy on" : "; modelled, \(energy(joules))") + "."
        return Finding(
            .hybrid,
            .overall(pairs.map(\.decision)),
            answer,
            evidence: joules.isEmpty
                ? .weakest(pairs.flatMap { [$0.text.evidence, $0.picture.evidence] }) : .modelled,
            tables: [table(pairs)]
        )
    }

    private func energy(_ joules: [(text: ClosedRange<Double>, picture: ClosedRange<Double>)]) -> String {
        func span(_ ranges: [ClosedRange<Double>]) -> String {
            "\(NumberText.fixed(ranges.map(\.lowerBound).min() ?? 0, 2)) to \(NumberText.fixed(ranges.map(\.upperBound).max() ?? 0, 2)) J"
        }
        return "a scan takes \(span(joules.map(\.text))) with text and \(span(joules.map(\.picture))) with the picture"
    }

    private static func points(_ shares: [Double]) -> String {
        let points = shares.map { NumberText.fixed(100 * $0, 1) }
        guard let least = shares.min(), let most = shares.max(), least < most else {
            return "\(points.first ?? "0") points"
        }
        return "\(NumberText.fixed(100 * least, 1)) to \(NumberText.fixed(100 * most, 1)) points"
    }

    private static func range(_ values: [Double], _ text: (Double) -> String, _ what: String) -> String {
        guard let least = values.min(), let most = values.max() else { return "" }
        return least == most ? " (\(text(least))\(what))" : " (\(text(least)) to \(text(most))\(what))"
    }

    /// The first of each, network by network.
    private var pairs: [Pair] {
        func network(_ measurement: MeasurementResult) -> String { measurement.variant.network ?? "none" }
        var pairs: [Pair] = []
        for text in input.measurements where text.variant.strategy == .hybrid {
            let others = input.measurements.filter {
                $0.variant.strategy == .talariaOnly && network($0) == network(text)
                    && $0.dataset == text.dataset
            }
            guard let picture = others.first,
                !pairs.contains(where: { $0.network == network(text) && $0.text.dataset == text.dataset })
            else { continue }
            pairs.append(Pair(text: text, picture: picture, network: network(text)))
        }
        return pairs
    }

    private func filled(_ pair: Pair) -> Pair {
        var pair = pair
        func first(_ measurement: MeasurementResult) -> [String: SampleRecord] {
            Dictionary(
                input.records.filter {
                    $0.measurement == measurement.id && $0.repetition == 1 && $0.outcome != .notAttempted
                }.map { ($0.id, $0) },
                uniquingKeysWith: { first, _ in first }
            )
        }
        func isNamed(_ record: SampleRecord) -> Bool { record.outcome == .read && record.book?.answer == .right }
        func enriched(_ record: SampleRecord) -> Double? {
            record.outcome == .read ? record.prediction?.milliseconds(until: .enriched) : nil
        }
        let (texts, pictures) = (first(pair.text), first(pair.picture))
        for id in texts.keys.sorted() {
            guard let text = texts[id], let picture = pictures[id] else { continue }
            let group = input.labels?.sample(of: text)?.sample.group
            // A reading that failed named nothing; whether the catalogue has the book is known of either.
            if [text, picture].contains(where: { $0.book?.isCatalogued == true }) {
                pair.named.append((isNamed(text), isNamed(picture), group))
            }
            if let own = enriched(text), let other = enriched(picture) {
                pair.sooner.append((other - own, group))
            } else {
                pair.unanswered += 1
            }
        }
        pair.joules = joules(pair)
        return pair
    }

    /// Over the devices at nominal figures, each scan waking the radio by itself; nil without a device or a link to model.
    private func joules(_ pair: Pair) -> (text: ClosedRange<Double>, picture: ClosedRange<Double>)? {
        // Without a shaped network a phone would be at home.
        guard let link = NetworkProfile.named(pair.network == "none" ? "wifi" : pair.network) else { return nil }
        func range(_ measurement: MeasurementResult) -> ClosedRange<Double>? {
            guard let subject = input.subjects.first(where: { $0.name == measurement.id }) else { return nil }
            let joules = input.profiles.compactMap { profile -> Double? in
                let costs = input.costs(subject, on: profile)
                guard !costs.isEmpty else { return nil }
                return ComputeOrRadioQuestion.joules(costs, profile.values(), profile, link, sharing: 1)
            }
            guard let least = joules.min(), let most = joules.max() else { return nil }
            return least...most
        }
        return range(pair.text).flatMap { text in range(pair.picture).map { (text, $0) } }
    }

    private func table(_ pairs: [Pair]) -> Table {
        func joules(_ range: ClosedRange<Double>?) -> String {
            range.map { "\(NumberText.fixed($0.lowerBound, 2))–\(NumberText.fixed($0.upperBound, 2))" } ?? "–"
        }
        return Table(
            "Text beside picture",
            note:
                "Paired by spine, in first readings; a reading that failed named nothing. Both variants read the same spines, one variant after "
                + "the other: what drifts meanwhile is in the times, and 'spinebench compare' takes turns. Books: text less picture, of books in the "
                + "catalogue, with McNemar's exact p and the paired interval; as many when not \(NumberText.percent(Self.tolerance)) fewer. "
                + "Sooner: picture less text, to what the catalogue knows (Hodges–Lehmann). Energy: modelled, over the devices.",
            columns: [
                "Network", "Spines", "Text names", "Picture names", "Difference, points", "p", "Sooner by",
                "Unanswered",
                "Text sends", "Picture sends", "Text, J", "Picture, J", "Verdict",
            ],
            rows: pairs.map { pair in
                let gained = pair.named.count { $0.text && !$0.picture }
                let lost = pair.named.count { !$0.text && $0.picture }
                func named(_ count: Int) -> String {
                    NumberText.proportion(Proportion(successes: count, trials: pair.named.count))
                }
                func ends(_ interval: IntervalFigure, _ text: (Double) -> String) -> String {
                    interval.value.map { " [\(text($0.lowerBound)), \(text($0.upperBound))]" } ?? ""
                }
                let points = { (value: Double) in NumberText.fixed(100 * value, 1) }
                return [
                    pair.network, "\(pair.named.count)", named(pair.named.count { $0.text }),
                    named(pair.named.count { $0.picture }),
                    pair.named.isEmpty
                        ? "–"
                        : points(pair.points) + ends(pair.difference, points),
                    NumberText.fixed(McNemar.exactP(b: lost, c: gained), 3),
                    NumberText.figure(pair.shift.estimate, NumberText.milliseconds)
                        + ends(pair.shiftInterval) { NumberText.fixed($0, 1) },
                    "\(pair.unanswered)", pair.bytes.map { NumberText.bytes($0.text) } ?? "–",
                    pair.bytes.map { NumberText.bytes($0.picture) } ?? "–", joules(pair.joules?.text),
                    joules(pair.joules?.picture), pair.decision.text,
                ]
            },
            numbersFrom: 1
        )
    }
}
