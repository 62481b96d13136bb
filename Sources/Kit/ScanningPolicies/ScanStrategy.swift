/// A way of dividing the work between the device and the back end, selectable by name (S2-50).
public enum ScanStrategy: String, Sendable, Codable, CaseIterable {
    /// The back end receives the picture and does everything: Option A.
    case talariaOnly = "talaria-only"
    /// Text is read on the device, and only the text is sent: Option B.
    case hybrid
    /// The picture goes to the back end; when that fails or is slow, the device reads, and text is sent or queued:
    /// Option C.
    case visionFallback = "vision-fallback"
    /// No data is sent from the device.
    case onDeviceOnly = "on-device-only"

    /// Whether it cannot do anything without a back end.
    public var needsBackEnd: Bool { self != .onDeviceOnly }
    /// Whether it cannot do anything without a reader on the device.
    public var needsReader: Bool { self != .talariaOnly }
    /// Whether text is read on the device before anything is sent.
    public var readsFirst: Bool { self == .hybrid || self == .onDeviceOnly }
}
