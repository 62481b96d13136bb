/// Cost of one reading on a device at full speed: the nominal state, and no low-power mode.
package struct ReadingCost: Sendable, Equatable, Codable {
    /// On the CPU, one thread: decoding, crops, CTC, matching; for a picture that is sent, its preparation.
    package var imageSeconds: Double
    /// On the plan's compute unit.
    package var inferenceSeconds: Double
    /// For the network and the back end: nothing of the device works meanwhile but the radio.
    package var waitSeconds: Double
    /// Of its latency, what nobody knows the reason of: no work is known to be done then, and sessions leave it out.
    package var idleSeconds: Double
    package var bytesUp: Int
    package var bytesDown: Int
    /// Whether the right book came out; for a reader alone, the whole title.
    package var isIdentified: Bool

    /// - Parameters:
    ///   - imageSeconds: on the CPU, one thread.
    ///   - inferenceSeconds: on the plan's compute unit.
    ///   - waitSeconds: for the network and the back end.
    ///   - idleSeconds: of its latency, what nobody knows the reason of.
    ///   - bytesUp: sent.
    ///   - bytesDown: received.
    ///   - isIdentified: whether the right book came out.
    package init(
        imageSeconds: Double,
        inferenceSeconds: Double,
        waitSeconds: Double = 0,
        idleSeconds: Double = 0,
        bytesUp: Int = 0,
        bytesDown: Int = 0,
        isIdentified: Bool = true
    ) {
        self.imageSeconds = imageSeconds
        self.inferenceSeconds = inferenceSeconds
        self.waitSeconds = waitSeconds
        self.idleSeconds = idleSeconds
        self.bytesUp = bytesUp
        self.bytesDown = bytesDown
        self.isIdentified = isIdentified
    }
}
