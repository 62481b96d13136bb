public import ScanningPolicies

/// The reason why a spine cannot be scanned.
public enum ScanningError: Error, Sendable, Equatable, CustomStringConvertible {
    case noBackEnd(ScanStrategy)
    case noReader(ScanStrategy)
    case nothingToScanWith
    case readerUnloaded

    /// Message with the missing part and the remedy.
    public var description: String {
        switch self {
        case .noBackEnd(let strategy):
            "the strategy \(strategy.rawValue) needs a back end; specify one, or choose on-device-only"
        case .noReader(let strategy):
            "the strategy \(strategy.rawValue) needs a reader on this device; set one up, or choose talaria-only"
        case .readerUnloaded:
            "the reader is unloaded temporarily, as memory is low, the device is too hot or reading is too slow; try again later"
        case .nothingToScanWith: "neither a reader nor a back end is available; set up one of them"
        }
    }
}
