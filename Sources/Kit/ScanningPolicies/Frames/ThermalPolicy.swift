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

    /// Decides on a frame that arrives.
    ///
    /// - Parameters:
    ///   - state: of the device.
    ///   - frameCount: of all frames that arrived, this one too, whatever their result: counting only the processed
    ///     ones would never get past the second of three (K-25).
    ///   - sinceLast: the time since the last processed frame; nil for none.
    /// - Returns: whether it is processed.
    public func processes(state: ThermalState, frameCount: Int, sinceLast: Duration?) -> Bool {
        switch (self, state) {
        case (.none, _): true
        case (_, .critical): false
        case (.interval, _): sinceLast.map { $0 >= Self.interval(state) } ?? true
        case (_, .serious): frameCount.isMultiple(of: 3)
        case (.proactive, .fair): frameCount.isMultiple(of: 2)
        case (_, .nominal), (_, .fair), (_, .unknown): true
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
