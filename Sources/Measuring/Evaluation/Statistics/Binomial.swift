/// How often something of chance `p` happens in `n` independent trials.
package struct Binomial: Sendable, Equatable {
    package var n: Int
    /// 0…1.
    package var p: Double

    package init(n: Int, p: Double) {
        precondition(n >= 0 && p >= 0 && p <= 1, "a chance lies between 0 and 1")
        self.n = n
        self.p = p
    }

    /// The chance of `k` times or fewer.
    package func cumulative(_ k: Int) -> Double {
        if k < 0 { return 0 }
        if k >= n { return 1 }
        return BetaFunction.regularised(1 - p, Double(n - k), Double(k + 1))
    }

    /// The chance of `k` times or more.
    package func upperTail(_ k: Int) -> Double {
        if k <= 0 { return 1 }
        if k > n { return 0 }
        return BetaFunction.regularised(p, Double(k), Double(n - k + 1))
    }

    /// The least `k` for which `cumulative(k)` is above `chance`, which is in 0..<1.
    func least(above chance: Double) -> Int {
        var (low, high) = (0, n)
        while low < high {
            let middle = (low + high) / 2
            if cumulative(middle) > chance { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
