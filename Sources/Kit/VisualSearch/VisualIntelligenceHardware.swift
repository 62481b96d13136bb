import Foundation

/// Devices with Visual Intelligence (S0-D01): those with an A17 Pro or newer, and iPads and Macs with an M1 or newer.
public enum VisualIntelligenceHardware {
    /// iPads of later numbers without such a chip: mini 6 (A15) and the 11th generation (A16).
    private static let olderPads: Set<String> = ["iPad14,1", "iPad14,2", "iPad15,7", "iPad15,8"]

    /// Returns whether a device supports visual intelligence.
    ///
    /// - Parameter machine: its identifier as `uname` gives it, such as "iPhone16,1" for an iPhone 15 Pro; a Mac's is
    ///   "arm64".
    /// - Returns: false for a kind that is not known, as a simulator's "x86_64".
    public static func isSupported(_ machine: String) -> Bool {
        if machine == "arm64" { return true }
        let kind = machine.prefix { $0.isLetter }
        let numbers = machine.dropFirst(kind.count).split(separator: ",").map { Int($0) }
        guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return false }
        return switch kind {
        // iPhone16,1 and 16,2 are the 15 Pro and Pro Max; the iPhone 15 is iPhone15,4.
        case "iPhone": major >= 16
        // Models from iPad13,4: the Pro and the Air with an M1; iPad13,1 and 13,2 are the Air with an A14.
        case "iPad": major > 13 ? !olderPads.contains(machine) : major == 13 && (4...17).contains(minor)
        default: false
        }
    }

    /// Whether this device supports visual intelligence; false on Linux.
    public static var isOfThisDevice: Bool {
        var system = utsname()
        guard uname(&system) == 0 else { return false }
        let machine = withUnsafeBytes(of: &system.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return isSupported(machine)
    }
}
