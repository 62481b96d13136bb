/// Where the time of one reading went on the host that measured it, in milliseconds.
package struct HostReading: Sendable, Equatable, Codable {
    /// On the CPU, as far as it is known to have worked.
    package var image: Double
    /// Inside the detector.
    package var detection: Double
    /// Inside the recogniser.
    package var recognition: Double
    /// For the network and the back end; never scaled, as no phone does that work.
    package var wait: Double
    /// Nobody knows for what: neither a stage nor processor time explains it; never scaled, and no work of the device's.
    package var unaccounted: Double
    /// Whether the text came with the back end's answer.
    package var isReadRemotely: Bool
    /// Whether it was not kept for later: a scan that waits in the queue has had no answer.
    package var isAnswered: Bool
    package var bytesUp: Int
    package var bytesDown: Int
    /// Whether the right book came out; for a reader alone, the whole title.
    package var isIdentified: Bool

    /// - Parameters:
    ///   - image: on the CPU.
    ///   - detection: inside the detector.
    ///   - recognition: inside the recogniser.
    ///   - wait: for the network and the back end.
    ///   - unaccounted: nobody knows for what.
    ///   - isReadRemotely: whether the text came with the back end's answer.
    ///   - isAnswered: whether it was not kept for later.
    ///   - bytesUp: sent.
    ///   - bytesDown: received.
    ///   - isIdentified: whether the right book came out.
    package init(
        image: Double,
        detection: Double,
        recognition: Double,
        wait: Double = 0,
        unaccounted: Double = 0,
        isReadRemotely: Bool = false,
        isAnswered: Bool = true,
        bytesUp: Int = 0,
        bytesDown: Int = 0,
        isIdentified: Bool = true
    ) {
        self.image = image
        self.detection = detection
        self.recognition = recognition
        self.wait = wait
        self.unaccounted = unaccounted
        self.isReadRemotely = isReadRemotely
        self.isAnswered = isAnswered
        self.bytesUp = bytesUp
        self.bytesDown = bytesDown
        self.isIdentified = isIdentified
    }
}
