package import Basics
package import Evaluation
package import Statistics

/// Scores of several samples together.
package struct AccuracySummary: Sendable, Equatable, Codable {
    /// A sample's score with what else is to be known of its reading.
    package struct Entry: Sendable {
        package var score: SampleScore
        /// The photo that the sample was cut from; nil for one of its own.
        package var group: String?
        /// How long its reading took; nil when it did not come to an end.
        package var milliseconds: Double?

        package init(_ score: SampleScore, group: String? = nil, milliseconds: Double? = nil) {
            self.score = score
            self.group = group
            self.milliseconds = milliseconds
        }
    }

    /// Reading a title takes no longer when it is read in time (S0-M08).
    package static let timeLimitMilliseconds = 500.0

    /// Legible samples.
    package var scored: Int
    /// Legible samples that were read but are in no figure here, by why; nil when there are none.
    package var notScored: [String: Int]?
    /// Of the samples whose title has words.
    package var titleRead: RateEstimate
    /// Of the samples that name an author.
    package var authorRead: RateEstimate
    /// Title read, and the author too where there is one.
    package var titleAndAuthorRead: RateEstimate
    /// Title read, and within ``timeLimitMilliseconds``: what a user notices.
    package var readInTime: RateEstimate
    /// Pooled over the samples: their rate is the micro average.
    package var characters: EditCounts
    package var words: EditCounts
    /// Mean of the samples' character error rates: the macro average.
    package var meanCER: Figure
    /// Mean of the samples' 1-NED.
    package var similarity: Figure
    /// Pooled over the samples.
    package var overlap: WordOverlap

    /// - Parameters:
    ///   - entries: of legible samples.
    ///   - notScored: how many others there are, by why they are not scored.
    package init(_ entries: [Entry], notScored: [String: Int] = [:]) {
        self.notScored = notScored.isEmpty ? nil : notScored
        func share(_ result: (Entry) -> Bool?) -> RateEstimate {
            let known = entries.compactMap { entry in result(entry).map { ($0, entry.group) } }
            return RateEstimate(known.map(\.0), groups: known.map(\.1))
        }
        func mean(_ values: [Double]) -> Figure {
            values.isEmpty ? .absent("no samples") : .value(values.reduce(0, +) / Double(values.count))
        }
        let scores = entries.map(\.score)
        scored = scores.count
        titleRead = share(\.score.title.isRead)
        authorRead = share { $0.score.author?.isRead }
        titleAndAuthorRead = share { entry in
            entry.score.title.isRead.map { $0 && entry.score.author?.isRead != false }
        }
        readInTime = share { entry in
            let isInTime = entry.milliseconds.map { $0 <= Self.timeLimitMilliseconds } ?? false
            return entry.score.title.isRead.map { $0 && isInTime }
        }
        characters = scores.map(\.characters).reduce(EditCounts(), +)
        words = scores.map(\.words).reduce(EditCounts(), +)
        meanCER = mean(scores.compactMap(\.characters.rate.value))
        similarity = mean(scores.map(\.similarity))
        overlap = scores.map(\.overlap).reduce(WordOverlap(), +)
    }
}
