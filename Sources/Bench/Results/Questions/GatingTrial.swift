package import DeviceSimulation

/// Answers of the presence gate to panning sequences of the run, beside what was measured of it.
package struct GatingTrial: Sendable, Equatable {
    package var measurement: GateMeasurement
    /// Of the spines of the run's datasets and of drawn places.
    package var clips: [GateClip]

    package init(measurement: GateMeasurement, clips: [GateClip]) {
        (self.measurement, self.clips) = (measurement, clips)
    }

    /// The clips' frames with spines and without one, put together so that a share of them has a spine.
    struct Sequence: Equatable {
        var frames = 0
        /// Those that the gate lets pass.
        var passed = 0
        var withSpine = 0
        /// Those of them that it keeps from the reader.
        var missed = 0
        var spines = 0
        /// Of which no frame passes.
        var missedSpines = 0
        /// Readings with the gate and without one, by a reader that takes its time and drops what is due meanwhile.
        var readings = 0
        var ungatedReadings = 0
        /// Spines of which no frame is read although the gate lets one pass, or would without one.
        var unreadSpines = 0
        var ungatedUnreadSpines = 0

        var saved: Double { 1 - Double(passed) / Double(frames) }
        var readingsSaved: Double { 1 - Double(readings) / Double(ungatedReadings) }
        var missedShare: Double { Double(missed) / Double(withSpine) }
    }

    /// A sequence of all the spines that were panned over.
    ///
    /// The gate keeps nothing in mind from frame to frame, so that what it said of a frame holds wherever the frame stands.
    /// After each spine comes a stretch of frames without one, as long as the share asks for; those of all clips follow
    /// each other, again and again if need be. Frames with a part of a spine are left out.
    ///
    /// `share` is of frames with a spine, between 0 and 1. Nil without frames of both sorts.
    func sequence(share: Double, gateSeconds: Double, readingSeconds: Double) -> Sequence? {
        func answers(_ clip: GateClip, _ truth: GateClip.Truth) -> [Bool] {
            clip.frames.filter { $0.truth == truth }.map(\.isPassed)
        }
        let spines = clips.map { answers($0, .spine) }.filter { !$0.isEmpty }
        let empty = clips.flatMap { answers($0, .none) }
        guard !spines.isEmpty, !empty.isEmpty, share > 0, share < 1 else { return nil }
        var sequence = Sequence(spines: spines.count)
        var (gated, ungated) = (Reader(seconds: readingSeconds), Reader(seconds: readingSeconds))
        var (next, owed) = (0, 0.0)
        func show(_ isPassed: Bool) -> (gated: Bool, ungated: Bool) {
            let time = Double(sequence.frames) / Double(GateClip.framesPerSecond)
            sequence.frames += 1
            if isPassed { sequence.passed += 1 }
            return (
                isPassed && gated.reads(at: time, from: time + gateSeconds), ungated.reads(at: time, from: time)
            )
        }
        for spine in spines {
            var isRead = (gated: false, ungated: false)
            for isPassed in spine {
                let read = show(isPassed)
                isRead = (isRead.gated || read.gated, isRead.ungated || read.ungated)
            }
            sequence.withSpine += spine.count
            sequence.missed += spine.count { !$0 }
            if !spine.contains(true) { sequence.missedSpines += 1 }
            if !isRead.gated { sequence.unreadSpines += 1 }
            if !isRead.ungated { sequence.ungatedUnreadSpines += 1 }
            owed += Double(spine.count) * (1 - share) / share
            while owed >= 1 {
                _ = show(empty[next])
                next = (next + 1) % empty.count
                owed -= 1
            }
        }
        (sequence.readings, sequence.ungatedReadings) = (gated.readings, ungated.readings)
        return sequence
    }

    /// A reader that takes one frame at a time.
    private struct Reader {
        let seconds: Double
        var freeAt = 0.0
        var readings = 0

        /// False for a frame that it is too busy for.
        mutating func reads(at time: Double, from start: Double) -> Bool {
            guard time >= freeAt else { return false }
            readings += 1
            freeAt = start + seconds
            return true
        }
    }
}
