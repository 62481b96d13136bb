package import Evaluation

/// System measured by the harness: it converts a picture file's bytes into text, and perhaps into a book.
package protocol SystemUnderTest: Sendable {
    /// Reads one picture of one spine, and reports milestones that a user could see meanwhile.
    ///
    /// `bytes` are the whole PNG or JPEG file, and `name` is for error messages. `reached` may be called from any
    /// thread before this returns: the harness reads its clock then. The reading has no lines when the picture has no
    /// text.
    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction

    /// Completes work after an answer outside its latency, such as sending deferred scans; throwing fails the reading.
    ///
    /// The harness calls it after each reading of spines one by one, when its clock has stopped; never while readings
    /// overlap. `prediction` receives the facts that became known since.
    func conclude(_ prediction: inout Prediction) throws

    /// Scans the frames of a camera that is aimed at spines, as they come; throws when the system reads pictures only.
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

package typealias MilestoneHandler = @Sendable (Milestone) -> Void

extension Duration {
    package var milliseconds: Double { Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15 }
}
