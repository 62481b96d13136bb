/// The version of all programs of this package.
package enum ProgramVersion {
    /// By semantic versioning.
    package static let text = "0.1.0"
}
