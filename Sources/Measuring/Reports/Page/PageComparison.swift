package import Evaluation

/// What changed from A to B.
package struct PageComparison: Sendable, Encodable {
    /// One metric, of all samples or of a category.
    package struct Row: Sendable, Encodable {
        /// "title read, stylized".
        package var metric: String
        /// With their units; nil when there is none.
        package var a: String?
        package var b: String?
        /// "−4.2 points", "+12.0 %".
        package var difference: String?
        package var interval: String?
        /// In percent of A, or in points of a share, with its interval, for the plot; a gain is positive.
        package var gain: PageValue?
        package var pValue: Double?
        /// How much this machine makes of no change.
        package var noiseFloor: String?
        /// What may change at most; nil when it does not gate.
        package var gate: String?
        /// Nil when it does not gate.
        package var status: Verdict?
        package var note = ""
        package var evidence = EvidenceClass.measured

        package init(metric: String, a: String?, b: String?) {
            self.metric = metric
            self.a = a
            self.b = b
        }
    }

    package var a: String
    package var b: String
    /// The ids of the two measurements that the samples' readings are from.
    package var measurementA: String
    package var measurementB: String
    package var sentence: String
    package var rows: [Row]
    /// The samples that A did not read and B did.
    package var fixed: [String] = []
    /// The samples that A read and B did not.
    package var broken: [String] = []

    package init(
        a: String,
        b: String,
        measurementA: String,
        measurementB: String,
        sentence: String,
        rows: [Row]
    ) {
        self.a = a
        self.b = b
        self.measurementA = measurementA
        self.measurementB = measurementB
        self.sentence = sentence
        self.rows = rows
    }
}
