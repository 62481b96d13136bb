public import ScanningPolicies

/// What a device can do at the moment.
public struct DeviceCapabilities: Sendable, Hashable, Codable {
    /// Whether there is a reader that is fast enough for the first tier.
    ///
    /// The system's Visual Intelligence is none: it gives apps a picture and general labels, and no text (K-5).
    public var fastReader: Bool
    /// Whether there is an accurate reader on the device.
    public var accurateReader: Bool
    /// Whether there is a back end that may be asked.
    public var network: Bool

    /// Capabilities that were probed.
    public init(fastReader: Bool, accurateReader: Bool, network: Bool) {
        self.fastReader = fastReader
        self.accurateReader = accurateReader
        self.network = network
    }
}

/// Reader of a spine's text that comes first (S0-C03); the name is of what runs.
public enum FirstReader: String, Sendable, Codable, CaseIterable {
    case fast
    case accurate
    case backEnd = "back-end"

    /// The first that there is: the fast reader, then the accurate one, then the back end.
    public static func determine(fastReader: Bool, accurateReader: Bool) -> FirstReader {
        if fastReader { return .fast }
        return accurateReader ? .accurate : .backEnd
    }
}

/// What a session is going to do, and why.
public struct ScanPlan: Sendable, Equatable {
    /// What reads the text first.
    public var firstReader: FirstReader
    /// The way to go.
    public var strategy: ScanStrategy
    /// For people.
    public var reason: String

    /// Decides by what the device can do (S0-T01).
    ///
    /// - Throws: ``ScanningError/nothingToScanWith`` when there is neither a reader nor a back end.
    public init(for capabilities: DeviceCapabilities) throws(ScanningError) {
        firstReader = .determine(fastReader: capabilities.fastReader, accurateReader: capabilities.accurateReader)
        switch (firstReader, capabilities.network) {
        case (.backEnd, false): throw .nothingToScanWith
        case (.backEnd, true):
            strategy = .talariaOnly
            reason = "no reader on this device, so pictures are sent to the back end"
        case (_, true):
            strategy = .hybrid
            reason = "a reader is available on this device, so only text is sent to the back end"
        case (_, false):
            strategy = .onDeviceOnly
            reason = "a reader is available on this device and no back end is set, so nothing leaves the device"
        }
    }

    /// Does what was asked for.
    ///
    /// - Throws: ``ScanningError`` when the device or the back end for it is missing.
    public init(forced strategy: ScanStrategy, with capabilities: DeviceCapabilities) throws(ScanningError) {
        firstReader = .determine(fastReader: capabilities.fastReader, accurateReader: capabilities.accurateReader)
        if strategy.needsBackEnd && !capabilities.network { throw .noBackEnd(strategy) }
        if strategy.needsReader && firstReader == .backEnd { throw .noReader(strategy) }
        if strategy == .talariaOnly { firstReader = .backEnd }
        self.strategy = strategy
        reason = "it was requested"
    }
}
