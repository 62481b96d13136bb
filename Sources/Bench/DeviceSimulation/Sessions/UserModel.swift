import Basics

struct UserModel {
    enum Act {
        case aim, hold, move, rest
    }

    private let script: UserScript
    private var random: SplitMix64
    private(set) var act = Act.aim
    private(set) var until: Int
    /// The spine that was held last, by its number.
    private var spine = 0
    private(set) var spines = 0
    private var holds = 0

    init(_ script: UserScript, random: SplitMix64) {
        self.script = script
        self.random = random
        until = self.random.nextTime(mean: script.aimSeconds, script.spread)
    }

    /// The number of the spine in sight, from 0.
    var spineInSight: Int? { act == .hold ? spine : nil }

    /// Follows the script up to a time, not before the last one.
    mutating func advance(to time: Int) {
        while time >= until { begin(next) }
    }

    private var next: Act {
        switch act {
        case .aim: .hold
        case .hold: .move
        case .move:
            if let restEvery = script.restEvery, holds.isMultiple(of: restEvery) { .rest } else { .aim }
        case .rest: .aim
        }
    }

    private mutating func begin(_ act: Act) {
        self.act = act
        switch act {
        case .aim: until += random.nextTime(mean: script.aimSeconds, script.spread)
        case .move: until += random.nextTime(mean: script.moveSeconds, script.spread)
        case .rest: until += VirtualTime.nanoseconds(script.restSeconds)
        case .hold:
            until += random.nextTime(mean: script.holdSeconds, script.spread)
            holds += 1
            if spines > 0 && random.nextDouble() < script.againShare {
                spine = spines - 1 - random.below(min(spines, 10))
            } else {
                spine = spines
                spines += 1
            }
        }
    }
}

/// Script of a phone's owner before a shelf: aims, holds a spine in sight, moves on; and rests now and then.
package struct UserScript: Sendable, Equatable, Codable {
    package enum Spread: String, Sendable, Codable, CaseIterable {
        case fixed
        /// Without memory, with that mean.
        case exponential
    }

    /// Until a spine is in sight.
    package var aimSeconds = 2.0
    /// While it is.
    package var holdSeconds = 2.0
    /// After that, without a spine in sight, until the next aiming.
    package var moveSeconds = 1.0
    /// Of the three times.
    package var spread = Spread.exponential
    /// The share of holds that show one of the last ten spines once more.
    package var againShare = 0.0
    /// Number of spines after which the owner looks elsewhere; nil for never.
    package var restEvery: Int?
    /// Seconds of that: nothing is in sight, and nobody touches the phone.
    package var restSeconds = 60.0
    /// Seconds until an owner who goes on scanning sees that the camera has paused, and wakes it by a touch.
    package var touchSeconds = 2.0

    /// Two seconds of five on a spine, and no rests.
    package init() {}

    /// One with this share of its time on a spine, above 0 and up to 1, rests aside.
    package init(spineShare share: Double, holdSeconds: Double = 2) {
        precondition(share > 0 && share <= 1, "a share of frames with a spine lies above 0 and up to 1")
        self.holdSeconds = holdSeconds
        aimSeconds = holdSeconds * (1 - share) / share
        moveSeconds = 0
    }

    /// The mean share of time with a spine in sight, rests aside.
    package var spineShare: Double {
        let all = aimSeconds + holdSeconds + moveSeconds
        return all > 0 ? holdSeconds / all : 0
    }
}
