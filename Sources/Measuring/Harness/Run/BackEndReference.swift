/// A back end that variants of a run ask.
package struct BackEndReference: Sendable, Equatable, Codable, CustomStringConvertible {
    /// Their names.
    package var variants: [String]
    /// SHA-256 of its program's file; nil when the run did not start it.
    package var codeDigest: String?
    /// What the program was told, but for what only concerns where it runs; or where a running one listens.
    package var arguments: [String]

    package init(variants: [String], codeDigest: String?, arguments: [String]) {
        self.variants = variants
        self.codeDigest = codeDigest
        self.arguments = arguments
    }

    package var description: String {
        "\(codeDigest ?? "of its own") \(arguments.joined(separator: " ")) for \(variants.joined(separator: ", "))"
    }
}
