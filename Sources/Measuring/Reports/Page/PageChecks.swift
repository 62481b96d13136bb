package import Evaluation

/// A rule that a measurement must keep for its figures to count.
package struct PageCheck: Sendable, Encodable {
    package var rule: String
    package var required: String
    package var seen: String
    /// Inconclusive when there is too little to tell.
    package var status: Verdict

    package init(rule: String, required: String, seen: String, status: Verdict) {
        self.rule = rule
        self.required = required
        self.seen = seen
        self.status = status
    }
}

/// How far a system's confidence can be believed.
package struct PageReliability: Sendable, Encodable {
    /// Readings of about the same confidence.
    package struct Bin: Sendable, Encodable {
        /// The mean, 0…1.
        package var confidence: Double
        package var right: PageShare

        package init(confidence: Double, right: PageShare) {
            self.confidence = confidence
            self.right = right
        }
    }

    /// By rising confidence.
    package var bins: [Bin]
    /// The expected calibration error, 0…1.
    package var error: PageValue
    /// What counts as right, and whose confidence it is.
    package var meaning: String

    package init(bins: [Bin], error: PageValue, meaning: String) {
        self.bins = bins
        self.error = error
        self.meaning = meaning
    }
}

/// Latency and memory over the minutes of a measurement.
package struct PageTimeline: Sendable, Encodable {
    /// A window of time.
    package struct Window: Sendable, Encodable {
        /// Since the beginning.
        package var seconds: Double
        /// Of the readings in the window, in milliseconds; nil without any.
        package var p50: Double?
        package var p95: Double?
        /// At the window's end.
        package var residentBytes: Double?

        package init(seconds: Double, p50: Double?, p95: Double?, residentBytes: Double?) {
            self.seconds = seconds
            self.p50 = p50
            self.p95 = p95
            self.residentBytes = residentBytes
        }

        /// Encodes `[60, 31.5, 47, 148000000]`, with null for what is absent.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for number in [seconds, p50, p95, residentBytes] { try container.encode(number) }
        }
    }

    package var windows: [Window]
    /// What the slopes say: "resident memory +0.1 MB/min [−0.2, +0.4]".
    package var sentence: String

    package init(windows: [Window], sentence: String) {
        self.windows = windows
        self.sentence = sentence
    }
}
