package import Basics
package import Evaluation
package import Harness

/// Assertion of a suite, answered for one measurement, or for one measurement on one device.
package struct AssertionAnswer: Sendable, Equatable, Codable {
    package var assertion: Assertion
    /// Id of the measurement; where none was run, the assertion's variant.
    package var measurement: String
    /// nil for a figure of the measurement itself.
    package var device: String?
    /// In the figure's unit.
    package var value: Figure
    /// Interval at 95 % of a measured figure, or the plausible values of a modelled figure; nil without one.
    package var range: ClosedRange<Double>?
    /// Limit, or the lower one of two.
    package var limit: Figure
    package var upperLimit: Double?
    /// Measurement and session that the limit is taken of; nil for a limit that is a number.
    package var reference: String?
    package var judgement: Judgement
    package var evidence: EvidenceClass
    package var gates: Bool

    /// Answer without a decision, because something is missing.
    init(undecided assertion: Assertion, _ measurement: String, device: String? = nil, because reason: String) {
        self.assertion = assertion
        (self.measurement, self.device) = (measurement, device)
        value = .absent(reason)
        limit = assertion.reference == nil ? .value(assertion.limit) : .absent(reason)
        upperLimit = assertion.upperLimit
        judgement = Judgement(.inconclusive, note: reason)
        evidence = assertion.device == nil ? .measured : .modelled
        gates = assertion.gates
    }
}
