/// System measured by the harness: it converts a picture file's bytes into text, and perhaps into a book.
package protocol SystemUnderTest: Sendable {
    /// Reads one picture of one spine, and reports milestones that a user could see meanwhile.
    ///
    /// - Parameters:
    ///   - bytes: the whole PNG or JPEG file.
    ///   - name: the file's name in error messages.
    ///   - reached: may be called, from any thread and before this returns: the harness reads its clock then.
    /// - Returns: the reading; without lines when the picture has no text.
    /// - Throws: when the bytes or the engine fail.
    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction

    /// Completes work after an answer outside its latency, such as sending deferred scans.
    ///
    /// The harness calls it after each reading of spines one by one, when its clock has stopped; never while readings
    /// overlap.
    ///
    /// - Parameter prediction: of the reading that has just ended; receives the facts that became known since.
    /// - Throws: on a failure, which counts as the reading's failure.
    func conclude(_ prediction: inout Prediction) throws

    /// Scans the frames of a camera that is aimed at spines, as they come.
    ///
    /// - Throws: when the system reads pictures only, or a picture cannot be decoded.
    /// - Returns: the results of the frames and of the spines.
    func scanLive(_ request: LiveRequest) throws -> LiveAnswer
}

extension SystemUnderTest {
    /// Reads one picture of one spine, and nothing on the way.
    package func process(_ bytes: [UInt8], name: String) throws -> Prediction {
        try process(bytes, name: name) { _ in }
    }

    package func conclude(_ prediction: inout Prediction) throws {}

    package func scanLive(_ request: LiveRequest) throws -> LiveAnswer {
        throw HarnessError.configuration(
            "it reads pictures, not frames; choose a scanning variant, such as on-device-only or hybrid"
        )
    }
}

/// Milestone of a scan that is visible to a user before it is over.
package enum Milestone: String, Sendable, Codable, CaseIterable {
    /// The draft of a book is in the library: something was scanned (S0-T03).
    case draft
    /// Picture ready to be sent: decoded, scaled and encoded again (S2-30).
    case prepared
    /// The spine's text is there.
    case text
    /// The book has the catalogue's data, or is known to be missing from it.
    case enriched
    /// All results of a capture are saved: it is described and ready.
    case ready
}

/// Callback for milestones as a reading reaches them.
package typealias MilestoneHandler = @Sendable (Milestone) -> Void

extension Duration {
    /// Duration in milliseconds.
    package var milliseconds: Double {
        Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15
    }
}
