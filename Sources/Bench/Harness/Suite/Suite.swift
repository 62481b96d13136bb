package import Basics
package import Evaluation

package struct Suite: Sendable, Equatable {
    package var name: String
    package var description: String
    /// Folders of the datasets; empty when the command line has them.
    package var datasets: [String]
    package var variants: [Variant]
    /// Names of the variants that are omitted where they cannot run.
    package var optional: Set<String>
    package var scenarios: [Scenario]
    package var targets: [Claim]
    package var repetitions: Int
    package var warmUpReadings: Int
    /// Seeds of orders and arrivals: one run for each.
    package var seeds: [UInt64]
    /// A reading that takes longer is given up.
    package var sampleTimeoutSeconds: Double
    package var startTimeoutSeconds: Double
    /// Maximum number of read samples per dataset, taken from the categories in turn; nil for all.
    package var limit: Int?
    package var percentileMethod: PercentileMethod
    package var decideBy: DecisionRule
    package var assertions: [Claim]?
    /// Public keys whose signatures make recordings measured on a device, in base64.
    package var recordingKeys: [String] = []
}
