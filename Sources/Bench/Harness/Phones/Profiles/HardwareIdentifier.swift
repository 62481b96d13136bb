import Basics

/// Identifiers of devices (`hw.machine`), and their marketing names.
enum HardwareIdentifier {
    /// Identifiers of the devices with a profile in the project, by its name; with and without cellular radio.
    ///
    /// Source: the identifiers that Apple's systems report, as listed at https://theapplewiki.com/wiki/Models.
    private static let byName: [String: [String]] = BuiltInFile.decoded(PackageResources.identifiers_json)

    /// Returns whether a device as stated, an identifier or name with its chip or system, is the profile's.
    static func isDevice(_ stated: String, _ name: String) -> Bool {
        let folded = FoldedText(name).joined
        return ((byName.first { FoldedText($0.key).joined == folded }?.value ?? []) + [name]).contains { known in
            stated == known || stated.hasPrefix(known + " (") || stated.hasPrefix(known + ", ")
        }
    }
}
