/// Thermal state of the device; the names are those of `ProcessInfo.ThermalState`.
public enum ThermalState: String, Sendable, Codable, CaseIterable {
    case nominal, fair, serious, critical
    /// A state that a later system may know.
    case unknown
}

/// The rule for processing frames on a warm device (K-1).
public enum ThermalPolicy: String, Sendable, Codable, CaseIterable {
    /// Every frame up to fair, every third one when it is serious, none when it is critical (S0-TH1).
    case seedCode = "seed-code"
    /// Seed-code's rule, but every second one when it is fair (S0-TH2).
    case proactive
    /// Time instead of number: at least 150 ms apart, 250 at fair, 500 at serious, none when it is critical.
    case interval
    /// Every frame, at any temperature.
    case none

    /// Decision on a frame.
    public enum Decision: String, Sendable, Codable {
        case process
        /// Skip this frame; the next may be processed.
        case skip
        /// None until the device is cooler.
        case pause
    }

    /// Returns the decision on a frame that arrives.
    ///
    /// - Parameters:
    ///   - state: of the device.
    ///   - frameCount: of all frames that arrived, this one too, whatever their result: counting only the processed
    ///     ones would never get past the second of three (K-25).
    ///   - sinceLast: the time since the last processed frame; nil for none.
    /// - Returns: whether it is processed.
    public func decision(state: ThermalState, frameCount: Int, sinceLast: Duration?) -> Decision {
        switch (self, state) {
        case (.none, _): .process
        case (_, .critical): .pause
        case (.interval, _):
            (sinceLast.map { $0 >= Self.interval(state) } ?? true) ? .process : .skip
        case (_, .serious): frameCount.isMultiple(of: 3) ? .process : .skip
        case (.proactive, .fair): frameCount.isMultiple(of: 2) ? .process : .skip
        case (_, .nominal), (_, .fair), (_, .unknown): .process
        }
    }

    private static func interval(_ state: ThermalState) -> Duration {
        switch state {
        case .nominal, .unknown: .milliseconds(150)
        case .fair: .milliseconds(250)
        case .serious, .critical: .milliseconds(500)
        }
    }
}

/// Pauses an unused camera (S2-24).
public struct IdlePause: Sendable, Equatable {
    /// Time without a spine or a touch after which the camera pauses.
    public var limit: Duration

    /// - Parameter limit: after so long without a spine or a touch the camera pauses.
    public init(limit: Duration = .seconds(30)) { self.limit = limit }

    /// Returns whether a camera is paused that was last used so long ago.
    public func isDue(sinceLastUse time: Duration) -> Bool { time >= limit }
}
