import Foundation
import ScanningPolicies

extension ModelTarget {
    /// The models of the NeuroGuide document and the scanner's own tiers; a megabyte is 1,000,000 bytes.
    static let all = neuroGuide + tiers

    /// The four models that share a phone, in `Resources/neuroguide.json`.
    ///
    /// Their batteries add up to 11 %, where 10 % are allowed in all (K-19), and their memory to 380 of 500 MB.
    static let neuroGuide: [ModelTarget] = {
        do { return try JSONDecoder().decode([ModelTarget].self, from: Data(PackageResources.neuroguide_json)) } catch {
            preconditionFailure("neuroguide.json comes with the program, and is broken: \(error)")
        }
    }()
}
