import Basics

/// Identifiers by which devices call themselves (`hw.machine`), and what people call them.
enum HardwareIdentifier {
    /// Those of the devices that have a profile in the project, by the profile's name; with and without cellular radio.
    ///
    /// Source: the identifiers that Apple's systems report, as listed at https://theapplewiki.com/wiki/Models.
    private static let byName: [String: [String]] = [
        "iPad 9": ["iPad12,1", "iPad12,2"],
        "iPad Air 4": ["iPad13,1", "iPad13,2"],
        "iPad Air 5": ["iPad13,16", "iPad13,17"],
        "iPad Pro M1": [
            "iPad13,4", "iPad13,5", "iPad13,6", "iPad13,7", "iPad13,8", "iPad13,9", "iPad13,10", "iPad13,11",
        ],
        "iPhone 11": ["iPhone12,1"],
        "iPhone SE 2": ["iPhone12,8"],
        "iPhone 12": ["iPhone13,2"],
        "iPhone 13": ["iPhone14,5"],
        "iPhone 14 Pro": ["iPhone15,2"],
        "iPhone 15 Pro": ["iPhone16,1"],
        "iPhone 16": ["iPhone17,3"],
        "iPhone 16 Pro": ["iPhone17,1"],
        "iPhone 17": ["iPhone18,3"],
        "iPhone 17 Pro": ["iPhone18,1"],
    ]

    /// Why a recording is not of the device that a profile is of.
    ///
    /// - Parameters:
    ///   - device: as the recording names it: an identifier, or what people say.
    ///   - name: of the profile.
    /// - Returns: nil when it is of that device, or when nothing is known of either.
    static func problem(of device: String, as name: String) -> String? {
        if folded(device) == folded(name) { return nil }
        let own = byName.first { folded($0.key) == folded(name) }
        if own?.value.contains(device) == true { return nil }
        let meant = byName.first { $0.value.contains(device) || folded($0.key) == folded(device) }?.key
        if let meant {
            return "\"device\" is \"\(device)\", which is \(meant) and not \(name); name that with --device"
        }
        // A profile of one's own, and a device that nobody here knows: whoever names both must know.
        guard let own else { return nil }
        let expected = own.value.joined(separator: " or ")
        return "\"device\" is \"\(device)\", which is not known as \(name); expected \(expected)"
    }

    /// Case, spaces and hyphens do not count.
    private static func folded(_ name: String) -> String { FoldedText(name).joined }
}
