/// Follows the spines that a camera shows one after the other, so that each becomes one scan.
///
/// Decides which frames are steady enough to be read, which readings are of one spine, and when the best of them is
/// scanned. A spine is known by its place as long as the camera's path is known, and by its text after that. A value
/// without a clock or pictures: the coordinator and the simulation of a session ask the same one.
package struct SpineFollower<Reading: Sendable>: Sendable {
    /// Place of a spine, in shares of the picture that its owner aims with.
    package struct Place: Sendable, Equatable {
        /// Number of the camera's path; places on different paths cannot be compared.
        package var path: Int
        /// Number of the path before, where the camera probably did not move but was not watched meanwhile.
        package var pathBefore: Int?
        /// Across the spine, and along it.
        package var across: Double
        package var along: Double

        package init(path: Int, pathBefore: Int? = nil, across: Double = 0, along: Double = 0) {
            (self.path, self.pathBefore, self.across, self.along) = (path, pathBefore, across, along)
        }
    }

    package struct Scan: Sendable {
        package var reading: Reading
        /// The scan of the same spine that this one replaces; nil for a spine that was not scanned before.
        package var earlier: Reading?
    }

    /// Minimum time without a spine or a frame after which another spine may be in view: shorter than a move to the next
    /// spine; chosen, not measured.
    package static var gap: Duration { .milliseconds(300) }
    /// Time after which the same text may belong to another copy; chosen, not measured.
    package static var span: Duration { .seconds(60) }
    /// Time without a better reading after which an unsure spine is scanned.
    private static var patience: Duration { .milliseconds(500) }
    /// A camera rests that moves by less than this in a second, in shares of a frame's width.
    private static var restingSpeed: Double { 0.3 }
    /// Maximum distance of readings of one spine; the second is for those with the same text.
    private static var reach: (across: Double, alike: Double, along: Double) { (0.25, 0.4, 0.5) }
    /// Minimum similarity of readings that agree, and are of one spine wherever they are.
    private static var alike: Double { 0.8 }
    /// Likeness that is enough where the camera probably did not move.
    private static var akin: Double { 0.35 }
    /// Minimum ratio of weights of a better reading.
    private static var better: Double { 1.1 }
    private static var mostReadings: Int { 6 }

    /// A reading's vote for what a spine says.
    private struct Vote {
        var value: Reading
        var weight: Double
        var isSure: Bool
        var isSteady: Bool
        /// Number of other readings that agree with it.
        var agreeing: Int

        /// The weight, double for a reading that another one agrees with, and for one that names a book for certain.
        var score: Double { weight * (agreeing > 0 ? 2 : 1) * (isSure ? 2 : 1) }
    }

    private struct Spine {
        var votes: [Vote] = []
        var place: Place
        var seen: Duration
        var improved: Duration
        var score = 0.0
        /// The reading that was scanned; nil before that.
        var scanned: Reading?
        /// Whether the scanned reading was sure.
        var isSettled = false
        /// Last reading that is surely of something else; nil if the one after that was not.
        var contrary: Reading?
        /// Readings so far.
        var count = 0

        /// The best reading among those that another one confirms, if there are any: a confirmed one is not due to
        /// chance.
        var best: Vote? {
            let agreed = votes.filter { $0.agreeing > 0 }
            return (agreed.isEmpty ? votes : agreed).max { $0.score < $1.score }
        }
    }

    private let likeness: @Sendable (Reading, Reading) -> Double
    private var current: Spine?
    /// Spines that were scanned, without the current one.
    private var known: [Spine] = []
    private var missingSince: Duration?
    private var lastFrame: Duration?
    /// Whether the camera rested at the last frame, according to present knowledge.
    package private(set) var isSteady = false
    /// Whether the last frame is steady enough for reading, according to present knowledge.
    package private(set) var isWorthReading = false

    /// - Parameter likeness: of two readings, 0…1, whichever comes first.
    package init(likeness: @escaping @Sendable (Reading, Reading) -> Double) { self.likeness = likeness }

    /// Notes a frame that may be read.
    ///
    /// `time` is not before the last one; `moved` is how far the camera moved since then, in shares of a frame's
    /// width, or nil when the two do not show the same things.
    package mutating func noteFrame(at time: Duration, moved: Double?) {
        let elapsed = lastFrame.map { time - $0 }
        lastFrame = time
        isSteady = false
        if let elapsed, let moved { isSteady = moved <= Self.restingSpeed * (elapsed / .seconds(1)) }
        // A cut has no history, and the first frame after a while without any has less information than the next one.
        isWorthReading = isSteady || (moved == nil && elapsed ?? .zero <= Self.gap)
    }

    /// Ends the view of the spine in sight: another one came, or the camera stops.
    ///
    /// - Returns: its scan, where it was not scanned before.
    package mutating func leave() -> Scan? {
        defer { current = nil }
        guard var spine = current else { return nil }
        recognize(&spine)
        let scan = spine.scanned == nil && isScannedAtLast(spine) ? Self.scan(&spine) : nil
        if spine.scanned != nil { known.append(spine) }
        return scan
    }

    /// Adds a reading of the last frame with enough text to identify a book.
    ///
    /// `weight`, above 0, is the amount and certainty of the text; `isSure` whether it identifies a book for certain.
    ///
    /// - Returns: the resulting scans: of the spine that was in view before, and of this one.
    package mutating func take(
        _ reading: Reading,
        weight: Double,
        isSure: Bool,
        at place: Place,
        time: Duration
    ) -> [Scan] {
        missingSince = nil
        var scans: [Scan] = []
        if isSure { doubt(by: reading) }
        if let spine = current, time - spine.seen > Self.span || !isSame(spine, reading, place), let scan = leave() {
            scans.append(scan)
        }
        var spine = current ?? recall(reading, at: place, time: time) ?? Spine(place: place, seen: time, improved: time)
        (spine.place, spine.seen) = (place, time)
        current = nil
        defer { current = spine }
        guard !spine.isSettled else { return scans }
        add(reading, weight: weight, isSure: isSure, to: &spine, at: time)
        guard let best = spine.best, best.agreeing > 0 else { return scans }
        recognize(&spine)
        guard !spine.isSettled else { return scans }
        if best.isSure || (spine.scanned == nil && time - spine.improved >= Self.patience) {
            scans.append(Self.scan(&spine))
        }
        return scans
    }

    /// Takes the last frame unread, as a picture that is sent.
    ///
    /// - Returns: whether it shows a spine that was not taken before, on a camera that rests.
    package mutating func takeUnread(_ reading: Reading, at place: Place, time: Duration) -> Bool {
        if let spine = current {
            if Self.isNear(spine.place, place, Self.reach.across) {
                current?.seen = time
                missingSince = nil
                return false
            }
            // One that is lost for a moment may come back.
            let since = missingSince ?? time
            missingSince = since
            guard spine.place.path == place.path || time - since >= Self.gap else { return false }
        }
        guard isSteady else { return false }
        _ = leave()
        missingSince = nil
        forget(before: time)
        let index = known.lastIndex { Self.isNear($0.place, place, Self.reach.across) }
        current =
            index.map { known.remove(at: $0) }
            ?? Spine(place: place, seen: time, improved: time, scanned: reading, isSettled: true)
        current?.seen = time
        return index == nil
    }

    // MARK: Spines

    /// Returns whether a spine that leaves the view is scanned as it is: its few readings agree, or do not contradict
    /// each other.
    private func isScannedAtLast(_ spine: Spine) -> Bool {
        guard let best = spine.best else { return false }
        return best.agreeing > 0 || (spine.count < 3 && (best.isSteady || best.isSure))
    }

    private static func scan(_ spine: inout Spine) -> Scan {
        guard let best = spine.best else {
            preconditionFailure("a spine that is scanned has been read")
        }
        let scan = Scan(reading: best.value, earlier: spine.scanned)
        (spine.scanned, spine.isSettled) = (spine.scanned ?? best.value, best.isSure)
        if spine.isSettled { spine.votes = [best] }
        return scan
    }

    /// Returns the spine that was scanned before and that a reading is of.
    private mutating func recall(_ reading: Reading, at place: Place, time: Duration) -> Spine? {
        forget(before: time)
        return known.lastIndex { isSame($0, reading, place) }.map { known.remove(at: $0) }
    }

    /// Makes a spine one that was scanned before, if its best reading shows that, or any of them where none agree.
    private mutating func recognize(_ spine: inout Spine) {
        guard spine.scanned == nil, let best = spine.best else { return }
        for reading in best.agreeing > 0 ? [best.value] : spine.votes.map(\.value) {
            guard let earlier = recall(reading, at: spine.place, time: spine.seen) else { continue }
            (spine.scanned, spine.isSettled) = (earlier.scanned, earlier.isSettled)
            if earlier.isSettled { spine.votes = earlier.votes }
            return
        }
    }

    private mutating func forget(before time: Duration) { known.removeAll { time - $0.seen > Self.span } }

    private mutating func add(
        _ reading: Reading,
        weight: Double,
        isSure: Bool,
        to spine: inout Spine,
        at time: Duration
    ) {
        var agreeing = 0
        for index in spine.votes.indices where likeness(spine.votes[index].value, reading) >= Self.alike {
            spine.votes[index].agreeing += 1
            agreeing += 1
        }
        spine.votes.append(
            Vote(value: reading, weight: weight, isSure: isSure, isSteady: isSteady, agreeing: agreeing)
        )
        spine.count += 1
        if let best = spine.best, best.score >= Self.better * spine.score {
            (spine.score, spine.improved) = (best.score, time)
        }
        if spine.votes.count > Self.mostReadings,
            let least = spine.votes.indices.min(by: { spine.votes[$0].score < spine.votes[$1].score })
        {
            spine.votes.remove(at: least)
        }
    }

    /// Gives up the place of a settled spine if two readings in turn are surely of the same other book: the user has
    /// put that before the same wall.
    private mutating func doubt(by reading: Reading) {
        guard let spine = current, spine.isSettled, let settled = spine.votes.first?.value else { return }
        guard likeness(settled, reading) < Self.akin else {
            current?.contrary = nil
            return
        }
        if let last = spine.contrary, likeness(last, reading) >= Self.alike { current?.place.path = .min }
        current?.contrary = reading
    }

    private func isSame(_ spine: Spine, _ reading: Reading, _ place: Place) -> Bool {
        if Self.isNear(spine.place, place, Self.reach.across) { return true }
        let like = { spine.votes.map { likeness($0.value, reading) }.max() ?? 0 }
        if spine.place.path == place.path {
            // The same text at another place is another copy, unless the two are hardly apart.
            return Self.isNear(spine.place, place, Self.reach.alike) && like() >= Self.alike
        }
        var before = place
        before.path = place.pathBefore ?? place.path
        let isProbable = Self.isNear(spine.place, before, Self.reach.across)
        return like() >= (isProbable ? Self.akin : Self.alike)
    }

    private static func isNear(_ one: Place, _ other: Place, _ across: Double) -> Bool {
        one.path == other.path && abs(one.across - other.across) <= across
            && abs(one.along - other.along) <= reach.along
    }
}
