/// Memory of the spines that were read lately: a camera sees the same one many times.
package struct RecentSpines<Reading: Sendable & Equatable>: Sendable {
    /// So long after it was read last, what reads the same is the same spine; chosen, not measured.
    package static var span: Duration { .seconds(60) }

    private var known: [(reading: Reading, time: Duration)] = []

    package init() {}

    package mutating func take(
        _ reading: Reading,
        at time: Duration,
        isSame: (Reading, Reading) -> Bool = { $0 == $1 }
    ) -> Bool {
        known.removeAll { time - $0.time > Self.span }
        let isKnown = known.contains { isSame($0.reading, reading) }
        // Each once: a spine that is held is read many times a second.
        if let index = known.firstIndex(where: { $0.reading == reading }) {
            known[index].time = time
        } else {
            known.append((reading, time))
        }
        return isKnown
    }
}
