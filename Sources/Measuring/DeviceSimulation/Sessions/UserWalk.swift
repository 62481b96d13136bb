import Basics

/// An owner who follows a script, from one thing to the next.
struct UserWalk {
    enum Act {
        case aim, hold, move, rest
    }

    private let script: UserScript
    private var random: SplitMix64
    /// Act of the owner.
    private(set) var act = Act.aim
    /// Until when.
    private(set) var until: Int
    /// The spine that was held last, by its number.
    private var spine = 0
    /// Number of spines so far.
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
