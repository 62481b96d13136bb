import Basics

/// Time in a session is counted in whole nanoseconds, so that it is the same on every machine.
enum VirtualTime {
    static let second = 1_000_000_000
    /// Later than any session.
    static let never = Int.max

    static func nanoseconds(_ seconds: Double) -> Int { Int((seconds * 1e9).rounded()) }

    static func seconds(_ nanoseconds: Int) -> Double { Double(nanoseconds) * 1e-9 }
}

extension SplitMix64 {
    /// A number with an exponential distribution of mean 1.
    ///
    /// By comparisons alone, without a logarithm, whose last bit differs between platforms: von Neumann, "Various techniques
    /// used in connection with random digits", 1951, section 3; it takes 4.3 random numbers on average.
    mutating func nextExponential() -> Double {
        var whole = 0.0
        while true {
            let first = nextDouble()
            var (last, next) = (first, nextDouble())
            var isAccepted = true
            while next < last {
                (last, next) = (next, nextDouble())
                isAccepted.toggle()
            }
            if isAccepted { return whole + first }
            whole += 1
        }
    }

    /// A time in nanoseconds, not negative; its mean is in seconds.
    mutating func nextTime(mean: Double, _ spread: UserScript.Spread) -> Int {
        switch spread {
        case .fixed: VirtualTime.nanoseconds(mean)
        case .exponential: VirtualTime.nanoseconds(mean * nextExponential())
        }
    }
}
