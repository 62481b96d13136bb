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
        case .latencyClaims: "Do the tiers keep the latencies that are claimed for them, on which devices and networks?"
        case .accuracy:
            "Are 85 % of the vertical, inverted and stylized titles read on the device, so that no contingency is needed?"
        case .hybrid:
            "Does reading here and sending the text name as many books as sending the picture, sooner and with fewer bytes?"
        case .gating: "Does a presence gate save 60 to 80 % of the readings?"
        case .thermalPolicies: "Is there one thermal policy that reads most books and keeps the device coolest?"
        case .outages:
            "Is no scan lost when the network is out or slow, and is the text of what reads here first there within 500 ms all the same?"
        case .privacy:
            "What leaves the device by each way of dividing the work, and does what is said to stay on it stay?"
        case .deviceMatrix: "Do the five phones of the test matrix meet the targets, and with how much lowered quality?"
        case .coldStart:
            "Is the first result there within 500 ms, are models loaded within 1 s, and is preloading worth its memory?"
        }
    }
}
