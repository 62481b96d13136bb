public import ScanningPolicies

/// The present capabilities of a device.
public struct DeviceCapabilities: Sendable, Hashable, Codable {
    /// Whether there is a reader that is fast enough for the first tier.
    ///
    /// The system's Visual Intelligence is none: it gives apps a picture and general labels, and no text (K-5).
    public var fastReader: Bool
    /// Whether the device has an accurate reader.
    public var accurateReader: Bool
    /// Whether a back end may be asked.
    public var network: Bool

    /// Capabilities that were probed.
    public init(fastReader: Bool, accurateReader: Bool, network: Bool) {
        (self.fastReader, self.accurateReader, self.network) = (fastReader, accurateReader, network)
    }

    /// The fast reader, then the accurate one, then the back end, which may be missing too.
    public var firstReader: FirstReader { fastReader ? .fast : accurateReader ? .accurate : .backEnd }
}

/// First reader of a spine's text (S0-C03); the name is of the actual reader.
public enum FirstReader: String, Sendable, Codable, CaseIterable {
    case fast
    case accurate
    case backEnd = "back-end"
}

/// The plan of a session, with its reason.
public struct ScanPlan: Sendable, Equatable {
    /// First reader of the text.
    public var firstReader: FirstReader
    /// The way to go.
    public var strategy: ScanStrategy
    /// Reason for display.
    public var reason: String

    /// Creates the plan for the device's capabilities (S0-T01), or that of a requested strategy.
    ///
    /// - Throws: ``ScanningError`` when the reader or the back end for it is missing, or both.
    public init(for capabilities: DeviceCapabilities, forced: ScanStrategy? = nil) throws(ScanningError) {
        firstReader = capabilities.firstReader
        let (reads, sends) = (firstReader != .backEnd, capabilities.network)
        if let forced {
            if forced.needsBackEnd && !sends { throw .noBackEnd(forced) }
            if forced.needsReader && !reads { throw .noReader(forced) }
            if forced == .talariaOnly { firstReader = .backEnd }
            (strategy, reason) = (forced, "it was requested")
        } else if reads {
            strategy = sends ? .hybrid : .onDeviceOnly
            let part = sends ? "only text is sent to the back end" : "no back end is set, so nothing leaves the device"
            reason = "a reader is available on this device" + (sends ? ", so " : " and ") + part
        } else {
            guard sends else { throw .nothingToScanWith }
            (strategy, reason) = (.talariaOnly, "no reader on this device, so pictures are sent to the back end")
        }
    }
}

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
