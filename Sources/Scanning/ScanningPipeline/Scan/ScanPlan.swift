public import ScanningPolicies

/// What a device can do at the moment.
public struct DeviceCapabilities: Sendable, Hashable, Codable {
    /// Whether there is a reader that is fast enough for the first tier: Visual Intelligence, or the fast engine.
    public var visualIntelligence: Bool
    /// Whether there is an accurate reader on the device: the Vision framework, or the accurate engine.
    public var vision: Bool
    /// Whether there is a back end that may be asked.
    public var network: Bool

    /// Capabilities that were probed.
    public init(visualIntelligence: Bool, vision: Bool, network: Bool) {
        self.visualIntelligence = visualIntelligence
        self.vision = vision
        self.network = network
    }
}

/// What reads the text of a spine first (S0-C03).
public enum FirstReader: String, Sendable, Codable, CaseIterable {
    case visualIntelligence
    case visionFramework
    case talariaFallback

    /// The first that there is: Visual Intelligence, then Vision, then the back end.
    public static func determine(visualIntelligence: Bool, vision: Bool) -> FirstReader {
        if visualIntelligence { return .visualIntelligence }
        return vision ? .visionFramework : .talariaFallback
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
        firstReader = .determine(visualIntelligence: capabilities.visualIntelligence, vision: capabilities.vision)
        switch (firstReader, capabilities.network) {
        case (.talariaFallback, false): throw .nothingToScanWith
        case (.talariaFallback, true):
            strategy = .talariaOnly
            reason = "there is no reader on this device, so pictures go to the back end"
        case (_, true):
            strategy = .hybrid
            reason = "there is a reader on this device, so only text goes to the back end"
        case (_, false):
            strategy = .onDeviceOnly
            reason = "there is a reader on this device and no back end, so nothing leaves it"
        }
    }

    /// Does what was asked for.
    ///
    /// - Throws: ``ScanningError`` when the device or the back end for it is missing.
    public init(forced strategy: ScanStrategy, with capabilities: DeviceCapabilities) throws(ScanningError) {
        firstReader = .determine(visualIntelligence: capabilities.visualIntelligence, vision: capabilities.vision)
        if strategy.needsBackEnd && !capabilities.network { throw .noBackEnd(strategy) }
        if strategy.needsReader && firstReader == .talariaFallback { throw .noReader(strategy) }
        if strategy == .talariaOnly { firstReader = .talariaFallback }
        self.strategy = strategy
        reason = "it was asked for"
    }
}
