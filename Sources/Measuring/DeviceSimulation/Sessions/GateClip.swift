/// Clip of the presence gate: its word on the frames of one panning sequence, whose truth is known.
package struct GateClip: Sendable, Equatable {
    /// Truth of a frame: what it shows.
    package enum Truth: Sendable, Equatable {
        /// A spine, nearly whole.
        case spine
        /// No spine.
        case none
        /// A smaller part of a spine: counted, and neither a hit nor a false alarm.
        case part
        /// No labelled spine, in a photograph whose books are not all labelled: counted, and neither.
        case unknown
    }

    /// Conditions in which the camera was held.
    package enum Condition: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
        case still
        /// So fast that the exposure smears eight pixels of 1440 or more.
        case moving
        /// The lens's blur has a radius of three pixels of 1440 or more.
        case outOfFocus
    }

    /// One of them.
    package struct Frame: Sendable, Equatable {
        package var truth: Truth
        package var condition: Condition
        /// Whether the gate let it pass.
        package var isPassed: Bool

        /// - Parameters:
        ///   - truth: what it shows.
        ///   - condition: how the camera was held.
        ///   - isPassed: whether the gate let it pass.
        package init(_ truth: Truth, _ condition: Condition = .still, isPassed: Bool) {
            self.truth = truth
            self.condition = condition
            self.isPassed = isPassed
        }
    }

    /// Subject that was panned over: "one spine held, drawn".
    package var kind: String
    /// The photograph or the drawn scene; frames of one are alike.
    package var scene: String
    /// Thirty a second.
    package var frames: [Frame]

    /// - Parameters:
    ///   - kind: what was panned over.
    ///   - scene: the photograph or the drawn scene.
    ///   - frames: in their order.
    package init(kind: String, scene: String, frames: [Frame]) {
        self.kind = kind
        self.scene = scene
        self.frames = frames
    }

    /// Frames a second.
    package static let framesPerSecond = 30
}
