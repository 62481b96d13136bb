/// A question that the documents left open, and that a run can answer.
package enum Experiment: String, Sendable, Codable, CaseIterable {
    case computeOrRadio = "E-01"
    case tenMinutes = "E-02"
    case latencyClaims = "E-03"
    case accuracy = "E-04"
    case hybrid = "E-05"
    case gating = "E-07"
    case thermalPolicies = "E-08"
    case outages = "E-09"
    case privacy = "E-12"
    case deviceMatrix = "E-13"
    case coldStart = "E-14"

    /// Question in one sentence.
    package var question: String {
        switch self {
        case .computeOrRadio: "Does reading on the device use less battery than sending pictures?"
        case .tenMinutes:
            "Does reading add less energy for each book than sending its picture takes, in ten minutes with and without skipped frames?"
        case .latencyClaims: "Do the tiers meet their claimed latencies, and on which devices and networks?"
        case .accuracy:
            "Are 85 % of the vertical, inverted and stylized titles read on the device, so that the contingency plan is unnecessary?"
        case .hybrid:
            "Does reading here and sending the text identify as many books as sending the picture, sooner and with fewer bytes?"
        case .gating: "Does a presence gate save 60 to 80 % of the readings?"
        case .thermalPolicies: "Does one thermal policy both read the most books and keep the device coolest?"
        case .outages:
            "Are all scans kept when the network fails or is slow, and do variants that read here first still show text within 500 ms?"
        case .privacy:
            "Which data leave the device under each strategy, and do local-only data stay on it?"
        case .deviceMatrix: "Do the five phones of the test matrix meet the targets, and at which quality?"
        case .coldStart:
            "Does the first result appear within 500 ms, do models load within 1 s, and does preloading justify its memory?"
        }
    }
}
