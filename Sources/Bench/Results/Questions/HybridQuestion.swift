import Basics
import DeviceSimulation
import Evaluation
import Harness
import ScanningPolicies
import SpineDatasets

/// E-05: text or picture to the back end, spine by spine: books named, time, bytes, and modelled energy (S2-53).
struct HybridQuestion: Question {
    static let experiment = Experiment.hybrid
    let input: ExperimentInput

    /// Points by which the share of books may be less and still count as many: what a comparison accepts of titles.
    static let tolerance = ComparisonTolerances.standard[.titleRead] ?? 0.02

    /// Over the devices.
    private typealias Joules = (text: ClosedRange<Double>, picture: ClosedRange<Double>)

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
        var joules: Joules?

        /// Text less picture, as a share.
        var points: Double {
            Double(named.count { $0.text } - named.count { $0.picture }) / Double(max(1, named.count))
        }

        var difference: IntervalFigure {
            named.isEmpty
                ? .absent("no spine of a book in the catalogue")
                : GroupBootstrap(photos: named.map(\.group)).ofRateDifference(named.map(\.picture), named.map(\.text))
        }

        var shift: HodgesLehmann {
            let photos = GroupBootstrap(photos: sooner.map(\.group), resamples: 500)
            return HodgesLehmann(differences: sooner.map(\.milliseconds), resampledBy: photos)
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
            guard let interval = shift.interval.value else { return .undecided }
            return interval.lowerBound > 0 ? .holds : interval.upperBound <= 0 ? .doesNotHold : .undecided
        }

        var sendsLess: Finding.Decision { bytes.map { $0.text < $0.picture ? .holds : .doesNotHold } ?? .undecided }

        var decision: Finding.Decision { .overall([namesAsMany, isSooner, sendsLess]) }
    }

    func answer() throws(Unanswered) -> Finding {
        let pairs = pairs.map(filled)
        guard !pairs.isEmpty else {
            throw Unanswered("it needs hybrid and talaria-only over the same spines and the same network")
        }
        func count(_ part: (Pair) -> Finding.Decision) -> String {
            "\(pairs.count { part($0) == .holds }) of \(pairs.count)"
        }
        let shifts = ClosedRange(of: pairs.compactMap(\.shift.estimate.value))
        let bytes = pairs.compactMap(\.bytes)
        let joules = pairs.compactMap(\.joules)
        let sooner = shifts.map { " (\($0.text(NumberText.milliseconds)) less)" } ?? ""
        let sent =
            bytes.isEmpty
            ? ""
            : " (\(NumberText.bytes(bytes.map(\.text).max() ?? 0)) at most beside \(NumberText.bytes(bytes.map(\.picture).min() ?? 0)))"
        let energy =
            joules.isEmpty
            ? "; no device to model its energy on"
            : "; modelled, a scan takes \(Self.span(joules.map(\.text))) with text and "
                + "\(Self.span(joules.map(\.picture))) with the picture"
        return Self.finding(
            .overall(pairs.map(\.decision)),
            "Text names as many books as the picture behind \(count(\.namesAsMany)) networks "
                + "(\(ClosedRange(of: pairs.map(\.points))?.text(Self.points) ?? "0") points), is sooner behind "
                + "\(count(\.isSooner))\(sooner) and sends less behind \(count(\.sendsLess))\(sent)\(energy).",
            evidence: joules.isEmpty
                ? .weakest(pairs.flatMap { [$0.text.evidence, $0.picture.evidence] }) : .modelled,
            tables: [table(pairs)]
        )
    }

    /// "0.10 to 0.25 J".
    private static func span(_ ranges: [ClosedRange<Double>]) -> String {
        "\(NumberText.fixed(ranges.map(\.lowerBound).min() ?? 0, 2)) to \(NumberText.fixed(ranges.map(\.upperBound).max() ?? 0, 2)) J"
    }

    private static func points(_ share: Double) -> String { NumberText.fixed(100 * share, 1) }

    /// The first of each, network by network.
    private var pairs: [Pair] {
        func network(_ measurement: MeasurementResult) -> String { measurement.variant.network ?? "none" }
        func isAlike(_ a: MeasurementResult, _ b: MeasurementResult) -> Bool {
            network(a) == network(b) && a.dataset == b.dataset
        }
        var pairs: [Pair] = []
        for text in input.measurements where text.variant.strategy == .hybrid {
            let pictures = input.measurements.filter { $0.variant.strategy == .talariaOnly && isAlike($0, text) }
            guard let picture = pictures.first, !pairs.contains(where: { isAlike($0.text, text) }) else { continue }
            pairs.append(Pair(text: text, picture: picture, network: network(text)))
        }
        return pairs
    }

    private func filled(_ pair: Pair) -> Pair {
        var pair = pair
        func first(_ measurement: MeasurementResult) -> [String: SampleRecord] {
            let own = input.records.filter {
                $0.measurement == measurement.id && $0.repetition == 1 && $0.outcome != .notAttempted
            }
            return Dictionary(first: own.map { ($0.id, $0) })
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
    private func joules(_ pair: Pair) -> Joules? {
        // Without a shaped network a phone would be at home.
        guard let link = NetworkProfile.named(pair.network == "none" ? "wifi" : pair.network) else { return nil }
        func range(_ measurement: MeasurementResult) -> ClosedRange<Double>? {
            guard let subject = input.subjects.first(where: { $0.name == measurement.id }) else { return nil }
            let costs = input.profiles.map { ($0, input.costs(subject, on: $0)) }.filter { !$1.isEmpty }
            return ClosedRange(
                of: costs.map { ComputeOrRadioQuestion.joules($1, $0.values(), $0, link, sharing: 1) }
            )
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
                "Unanswered", "Text sends", "Picture sends", "Text, J", "Picture, J", "Verdict",
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
                return [
                    pair.network, "\(pair.named.count)", named(pair.named.count { $0.text }),
                    named(pair.named.count { $0.picture }),
                    pair.named.isEmpty ? "–" : Self.points(pair.points) + ends(pair.difference, Self.points),
                    NumberText.fixed(McNemar.exactP(b: lost, c: gained), 3),
                    NumberText.figure(pair.shift.estimate, NumberText.milliseconds)
                        + ends(pair.shift.interval) { NumberText.fixed($0, 1) },
                    "\(pair.unanswered)", pair.bytes.map { NumberText.bytes($0.text) } ?? "–",
                    pair.bytes.map { NumberText.bytes($0.picture) } ?? "–", joules(pair.joules?.text),
                    joules(pair.joules?.picture), pair.decision.text,
                ]
            },
            numbersFrom: 1
        )
    }
}
