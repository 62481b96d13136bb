/// A question that the documents left open, and that a run can answer.
package enum Experiment: String, Sendable, Codable, CaseIterable {
    case computeOrRadio = "E-01"
    case tenMinutes = "E-02"
    case latencyClaims = "E-03"
    case gating = "E-07"
    case thermalPolicies = "E-08"
    case deviceMatrix = "E-13"
    case coldStart = "E-14"
    case ladder = "E-15"
    case fourModels = "E-27"

    /// One sentence.
    package var question: String {
        switch self {
        case .computeOrRadio: "Does reading on the device use less battery than sending pictures?"
        case .tenMinutes:
            "Does a scanning session of ten minutes stay below 5 % of the battery a minute, with and without skipped frames?"
        case .latencyClaims: "Do the tiers keep the latencies that are claimed for them, on which devices and networks?"
        case .gating: "Does a presence gate save 60 to 80 % of the readings?"
        case .thermalPolicies: "Which thermal policy reads most books, and which keeps the device coolest?"
        case .deviceMatrix: "Do the five phones of the test matrix meet the targets, and with how much lowered quality?"
        case .coldStart:
            "Is the first result there within 500 ms, are models loaded within 1 s, and is preloading worth its memory?"
        case .ladder:
            "Do alerts, lower quality and unloading bring a slowed-down, hot or nearly empty device back within its targets?"
        case .fourModels:
            "Do the four NeuroGuide models together stay within 10 % of the battery in half an hour and 500 MB?"
        }
    }
}
