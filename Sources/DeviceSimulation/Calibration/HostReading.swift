/// Where the time of one reading went on the host that measured it, in milliseconds.
package struct HostReading: Sendable, Equatable, Codable {
    /// On the CPU: all that is neither inference nor waiting.
    package var image: Double
    /// Inside the detector.
    package var detection: Double
    /// Inside the recogniser.
    package var recognition: Double
    /// For the network and the back end; never scaled, as no phone does that work.
    package var wait: Double
    /// Whether the text came with the back end's answer.
    package var isReadRemotely: Bool
    package var bytesUp: Int
    package var bytesDown: Int
    /// Whether the right book came out; for a reader alone, the whole title.
    package var isIdentified: Bool

    /// - Parameters:
    ///   - image: on the CPU.
    ///   - detection: inside the detector.
    ///   - recognition: inside the recogniser.
    ///   - wait: for the network and the back end.
    ///   - isReadRemotely: whether the text came with the back end's answer.
    ///   - bytesUp: sent.
    ///   - bytesDown: received.
    ///   - isIdentified: whether the right book came out.
    package init(
        image: Double,
        detection: Double,
        recognition: Double,
        wait: Double = 0,
        isReadRemotely: Bool = false,
        bytesUp: Int = 0,
        bytesDown: Int = 0,
        isIdentified: Bool = true
    ) {
        self.image = image
        self.detection = detection
        self.recognition = recognition
        self.wait = wait
        self.isReadRemotely = isReadRemotely
        self.bytesUp = bytesUp
        self.bytesDown = bytesDown
        self.isIdentified = isIdentified
    }
}
