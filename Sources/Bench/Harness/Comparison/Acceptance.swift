import Basics
import Evaluation

/// Accepted losses at a gate: rows within them do not fail it, and no other row is concerned.
package struct Acceptance: Sendable {
    /// Result of an entry at a gate.
    package struct Finding: Sendable, Equatable, Codable {
        package enum State: String, Sendable, Codable {
            case exceeded, accepted, undecided, better, expired, elsewhere
        }

        package var loss: AcceptedLoss
        package var state: State
        /// Samples that are read again.
        package var again: [String] = []

        /// Whether the entry is to be changed: it has expired, or what it accepts is better again.
        package var fails: Bool { state == .better || state == .expired || !again.isEmpty }
    }

    package let losses: [AcceptedLoss]
    /// Date of the gate, "2026-11-26": an entry applies until the end of its last day.
    package let today: String
    private var states: [Int: Set<Finding.State>] = [:]
    private var again: [Int: [String]] = [:]

    package init(_ losses: [AcceptedLoss], today: String) { (self.losses, self.today) = (losses, today) }

    /// Findings of all entries; of several rows of one entry, the worst counts.
    package var findings: [Finding] {
        let order: [Finding.State] = [.expired, .exceeded, .accepted, .undecided, .better]
        return losses.indices.map { index in
            let state = order.first { states[index]?.contains($0) == true } ?? .elsewhere
            return Finding(loss: losses[index], state: state, again: again[index] ?? [])
        }
    }

    /// Marks the rows of a comparison with a baseline that are within an entry, and judges it again.
    mutating func apply(to sides: inout Sides, variant: String, tolerances: ComparisonTolerances) {
        let own = current { $0.against == .baseline && $0.variant == variant && $0.dataset == sides.dataset }
        if own.isEmpty { return }
        for index in sides.comparisons.indices {
            let pair = ComparisonRows(
                a: sides.readings[0],
                b: sides.readings[index + 1],
                noise: sides.noise,
                tolerances: tolerances
            )
            accept(own.filter { losses[$0].samples.isEmpty }, in: &sides.comparisons[index].rows)
            acceptSamples(own.filter { !losses[$0].samples.isEmpty }, in: &sides.comparisons[index].rows, pair)
            sides.comparisons[index].judge(tolerances, isOfOneRule: pair.isOfOneRule)
        }
    }

    /// Accepts rows whose loss is within an entry's.
    private mutating func accept(_ own: [Int], in rows: inout [ComparisonRow]) {
        for index in own {
            let loss = losses[index]
            guard let place = rows.firstIndex(where: { $0.metric == loss.metric && $0.tolerance != nil }) else {
                continue
            }
            let row = rows[place]
            let isWithin = loss.loss?.holds(row) == true
            let isLost = row.gates && row.status == .worse
            if isLost, isWithin { rows[place].accepted = [loss] }
            note(index, isLost ? isWithin ? .accepted : .exceeded : row.isWithinTolerance ? .better : .undecided)
        }
    }

    /// Accepts a row of counted samples that is not worse without the named ones.
    private mutating func acceptSamples(_ own: [Int], in rows: inout [ComparisonRow], _ pair: ComparisonRows) {
        for index in own {
            let (named, metric) = (Set(losses[index].samples), losses[index].metric ?? .titleRead)
            let ids = pair.samples.pairs.filter { pair in
                named.contains(pair.a.id) && !(pair.a.outcomes[metric] == true && pair.b.outcomes[metric] == false)
            }.map(\.a.id)
            note(index, ids.isEmpty ? .undecided : .better)
            if !ids.isEmpty { again[index] = ids }
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
                let loss = losses[index]
                for row in result.compliance.indices {
                    let requirement = result.compliance[row]
                    guard requirement.measurement == measurement.id, requirement.metric == loss.metric,
                        requirement.target.category == loss.category, requirement.gates
                    else { continue }
                    let isMissed = requirement.judgement.verdict == .fail
                    let isWithin = loss.loss?.holds(requirement) == true
                    if isMissed, isWithin { result.compliance[row].accepted = [loss] }
                    note(
                        index,
                        isMissed ? isWithin ? .accepted : .exceeded : requirement.isMetForSure ? .better : .undecided
                    )
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

    private mutating func note(_ index: Int, _ state: Finding.State) { states[index, default: []].insert(state) }
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

    fileprivate func holds(_ row: Requirement) -> Bool {
        guard let value = row.value.value else { return false }
        let isLowerBound = row.target.comparator.isLowerBound
        return holds(isLowerBound ? row.target.limit - value : value - row.target.limit, of: row.target.limit)
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

extension Requirement {
    /// Whether the target is met; of a percentile, by its whole interval.
    fileprivate var isMetForSure: Bool {
        guard judgement.verdict == .pass else { return false }
        guard let percentile else { return true }
        let end = target.comparator.isLowerBound ? percentile.lower : percentile.upper
        return end.value.map(target.isMet) ?? false
    }
}
