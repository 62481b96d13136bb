/// Answers to several questions of yes or no over samples that come in groups, counted as they come.
///
/// Only whole numbers are kept, for each group, so that any order of the samples gives the same estimates to the last
/// bit; a sample without a group takes no memory.
package struct GroupedCounts: Sendable {
    /// The counts of one group: yes answers, and all answers.
    package struct Count: Sendable, Equatable {
        package var successes = 0
        package var trials = 0

        package init(successes: Int = 0, trials: Int = 0) { (self.successes, self.trials) = (successes, trials) }
    }

    private let questions: Int
    /// Rows of the groups, by a hash of their names.
    private var rows: [UInt64: UInt32] = [:]
    /// Counts of every row and question: yes and answers.
    private var counts: [UInt32] = []
    /// Counts of samples without a group, by question.
    private var singles: [Count]

    package init(questions: Int) {
        self.questions = questions
        singles = [Count](repeating: Count(), count: questions)
    }

    /// Adds a sample's answers, one for each question; nil is none.
    package mutating func add(_ answers: [Bool?], group: String?) {
        precondition(answers.count == questions, "there is one answer for each question")
        guard let group else {
            for (question, answer) in answers.enumerated() {
                guard let answer else { continue }
                singles[question].trials += 1
                if answer { singles[question].successes += 1 }
            }
            return
        }
        let row = row(of: group)
        for (question, answer) in answers.enumerated() {
            guard let answer else { continue }
            counts[(row * questions + question) * 2 + 1] += 1
            if answer { counts[(row * questions + question) * 2] += 1 }
        }
    }

    private mutating func row(of group: String) -> Int {
        var hash = FNV1a()
        for byte in group.utf8 { hash.append(byte) }
        if let row = rows[hash.value] { return Int(row) }
        let row = rows.count
        rows[hash.value] = UInt32(row)
        counts += [UInt32](repeating: 0, count: questions * 2)
        return row
    }

    /// Returns the share of yes among the answers to a question, with the interval for its groups.
    package func estimate(_ question: Int) -> RateEstimate {
        // A fixed order: means over groups depend on it.
        let groups = rows.sorted { $0.key < $1.key }.compactMap { _, row -> Count? in
            let place = (Int(row) * questions + question) * 2
            return counts[place + 1] == 0
                ? nil : Count(successes: Int(counts[place]), trials: Int(counts[place + 1]))
        }
        return RateEstimate(groups: groups, singles: singles[question])
    }
}

extension GroupBootstrap {
    /// Returns the interval of a rate from the counts of each group: as ``ofRate(_:)``, in time that grows as the
    /// number of groups does.
    ///
    /// - Parameters:
    ///   - groups: each with a trial at least; means are taken in their order.
    ///   - singles: samples that are a group each.
    /// - Returns: absent with too few groups.
    static func ofRate(groups: [GroupedCounts.Count], singles: GroupedCounts.Count) -> IntervalFigure {
        let trials = Double(groups.reduce(singles.trials) { $0 + $1.trials })
        let successes = Double(groups.reduce(singles.successes) { $0 + $1.successes })
        let squares = Double(groups.reduce(singles.trials) { $0 + $1.trials * $1.trials })
        let effective = squares > 0 ? trials * trials / squares : 0
        let count = groups.count + singles.trials
        if let reason = tooFew(groups: count, effective: effective) { return .absent(reason) }
        // The rate without one group after the other, with the number of groups of each kind.
        typealias Kind = (left: GroupedCounts.Count, times: Int)
        var kinds: [Kind] = groups.map { ($0, 1) }
        kinds.append((GroupedCounts.Count(successes: 1, trials: 1), singles.successes))
        kinds.append((GroupedCounts.Count(successes: 0, trials: 1), singles.trials - singles.successes))
        let rates = kinds.map { kind -> (rate: Double, times: Double) in
            let left = trials - Double(kind.left.trials)
            return ((successes - Double(kind.left.successes)) / left, Double(kind.times))
        }
        let mean = rates.reduce(0) { $0 + $1.rate * $1.times } / Double(count)
        let spread = rates.reduce(0) { $0 + ($1.rate - mean) * ($1.rate - mean) * $1.times }
        let error = (spread * Double(count - 1) / Double(count)).squareRoot()
        let rate = successes / trials
        let share = worth(varianceOfOne: rate * (1 - rate), count: trials, error: error, effective: effective)
        return .value(Proportion.scoreInterval(rate: rate, trials: trials * share))
    }
}
