import Basics
import Evaluation
import Statistics

/// Accepted losses at a gate: rows within them do not fail it, and no other row is concerned.
package struct Acceptance: Sendable {
    /// Result of an entry at a gate.
    package struct Finding: Sendable, Equatable, Codable {
        /// Of several rows of one entry, the last of these counts.
        package enum State: String, Sendable, Codable, CaseIterable {
            case elsewhere, better, undecided, accepted, exceeded, expired
        }

        package var loss: AcceptedLoss
        package fileprivate(set) var state = State.elsewhere
        /// Samples that are read again.
        package fileprivate(set) var again: [String] = []

        /// Whether the entry is to be changed: it has expired, or what it accepts is better again.
        package var fails: Bool { state == .better || state == .expired || !again.isEmpty }
    }

    /// Of all entries.
    package private(set) var findings: [Finding]
    /// Date of the gate, "2026-11-26": an entry applies until the end of its last day.
    private let today: String
    private var losses: [AcceptedLoss] { findings.map(\.loss) }

    package init(_ losses: [AcceptedLoss], today: String) {
        (findings, self.today) = (losses.map { Finding(loss: $0) }, today)
    }

    /// Marks the rows of a comparison with a baseline that are within an entry, and judges it again.
    mutating func apply(to sides: inout Sides, variant: String, tolerances: ComparisonTolerances) {
        let own = current { $0.against == .baseline && $0.variant == variant && $0.dataset == sides.dataset }
        if own.isEmpty { return }
        let pair = SidePair(sides.readings[0], sides.readings[1], noise: sides.noise, tolerances: tolerances)
        var rows = sides.pairs[0].rows
        for index in own where losses[index].samples.isEmpty {
            guard let place = rows.firstIndex(where: { $0.metric == losses[index].metric && $0.tolerance != nil })
            else { continue }
            let row = rows[place]
            let isMissed = row.gates && row.status == .worse
            let loss = accept(index, isMissed, losses[index].loss?.holds(row), isBetter: row.isWithinTolerance)
            rows[place].accepted = loss ?? row.accepted
        }
        acceptSamples(own.filter { !losses[$0].samples.isEmpty }, in: &rows, pair)
        sides.pairs[0].rows = rows
        sides.pairs[0].judge(as: pair)
    }

    /// Notes what an entry is to its row, and returns it if the row misses and is within it.
    private mutating func accept(_ index: Int, _ isMissed: Bool, _ holds: Bool?, isBetter: Bool) -> [AcceptedLoss]? {
        let isAccepted = isMissed && holds == true
        note(index, isAccepted ? .accepted : isMissed ? .exceeded : isBetter ? .better : .undecided)
        return isAccepted ? [losses[index]] : nil
    }

    /// Accepts a row of counted samples that is not worse without the named ones.
    private mutating func acceptSamples(_ own: [Int], in rows: inout [ComparisonRow], _ pair: SidePair) {
        for index in own {
            let metric = losses[index].metric ?? .titleRead
            let named = pair.samples.filter { losses[index].samples.contains($0.a.id) }
            let again = named.filter { $0.a.outcomes[metric] != true || $0.b.outcomes[metric] != false }.map(\.a.id)
            findings[index].again = again
            note(index, again.isEmpty ? .undecided : .better)
        }
        for place in rows.indices where rows[place].isRegression {
            let metric = rows[place].metric
            let entries = own.filter { losses[$0].metric.map { $0 == metric } ?? (metric.family == .accuracy) }
            if entries.isEmpty { continue }
            let rest = pair.without(Set(entries.flatMap { losses[$0].samples }))
            let isWorse = rest.overall.contains { $0.metric == metric && $0.isRegression }
            if !isWorse { rows[place].accepted = entries.map { losses[$0] } }
            for index in entries { note(index, isWorse ? .exceeded : .accepted) }
        }
    }

    /// Marks the missed targets of a run that are within an entry, and decides it again.
    package mutating func apply(to result: inout RunResult) {
        for measurement in result.measurements where measurement.scenario.kind == .single {
            let own = current {
                $0.against == .target && $0.variant == measurement.variant.name && $0.dataset == measurement.dataset
            }
            for index in own {
                for place in result.compliance.indices {
                    let (row, loss) = (result.compliance[place], losses[index])
                    guard row.measurement == measurement.id, row.metric == loss.metric,
                        row.claim.category == loss.category, row.gates
                    else { continue }
                    let isMissed = row.judgement.verdict == .fail
                    let accepted = accept(index, isMissed, loss.loss?.holds(row), isBetter: row.isMetForSure)
                    result.compliance[place].accepted = accepted ?? row.accepted
                }
            }
        }
        result.decide()
    }

    /// Returns the entries of a kind that apply today, and notes those that have expired.
    private mutating func current(_ isOwn: (AcceptedLoss) -> Bool) -> [Int] {
        losses.indices.filter { index in
            guard isOwn(losses[index]) else { return false }
            if losses[index].until < today { note(index, .expired) }
            return losses[index].until >= today
        }
    }

    private mutating func note(_ index: Int, _ state: Finding.State) {
        let known = findings[index].state
        findings[index].state = Finding.State.allCases.last { [known, state].contains($0) } ?? state
    }
}

extension AcceptedLoss.Size {
    /// Whether a difference to the bad, from a reference, is this large at most.
    private func holds(_ harm: Double, of reference: Double) -> Bool {
        harm <= (isRelative ? value * abs(reference) : value) + 1e-9
    }

    fileprivate func holds(_ row: ComparisonRow) -> Bool {
        if isRelative, row.metric.unit.isRelative {
            return row.change.value.map { holds(row.metric.harm($0), of: 1) } ?? false
        }
        guard let difference = row.difference.value, let a = row.a.value else { return false }
        return holds(row.metric.harm(difference), of: a)
    }

    fileprivate func holds(_ row: Answer) -> Bool {
        guard let value = row.value.value else { return false }
        let isLowerBound = row.claim.comparator.isLowerBound
        return holds(isLowerBound ? row.claim.limit - value : value - row.claim.limit, of: row.claim.limit)
    }
}

extension ComparisonRow {
    /// Whether the whole interval is within the tolerance; of counted samples, also whether no more are lost than gained.
    fileprivate var isWithinTolerance: Bool {
        guard gates, status == .better || status == .noDifference, let tolerance, let change = change.value,
            let ends = interval.value
        else { return false }
        let far = max(metric.harm(ends.lowerBound), metric.harm(ends.upperBound))
        return far <= tolerance || metric.family == .accuracy && metric.harm(change) <= 0
    }
}

extension Answer {
    /// Whether the target is met; of a percentile, by its whole interval.
    fileprivate var isMetForSure: Bool {
        guard judgement.verdict == .pass else { return false }
        guard let percentile else { return true }
        let end = claim.comparator.isLowerBound ? percentile.lower : percentile.upper
        return end.value.map(claim.isMet) ?? false
    }
}
