/// The joint objective: a spine counts when it was read right and in time.
package enum ReadInTime {
    /// One reading of a legible sample.
    package struct Reading: Sendable, Equatable {
        /// Whether the whole title was read; nil when the title has no words to read, which leaves the sample out.
        package var isRead: Bool?
        /// Nil when no answer came: a failure or a timeout.
        package var milliseconds: Double?

        package init(isRead: Bool?, milliseconds: Double?) {
            self.isRead = isRead
            self.milliseconds = milliseconds
        }
    }

    /// The share of readings whose title was read within `limit` milliseconds; failures and timeouts count as not.
    package static func share(_ readings: some Sequence<Reading>, within limit: Double = 500) -> Proportion {
        var share = Proportion(successes: 0, trials: 0)
        for reading in readings {
            guard let isRead = reading.isRead else { continue }
            share.trials += 1
            if isRead, let milliseconds = reading.milliseconds, milliseconds <= limit { share.successes += 1 }
        }
        return share
    }
}
