import ArgumentParser

/// `25,60`: the median and the 95th percentile in ms.
struct LatencyArgument: ExpressibleByArgument {
    var p50: Double
    var p95: Double

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2, let p50 = numbers[0], let p95 = numbers[1], p50 > 0, p95 >= p50, p95.isFinite else {
            return nil
        }
        (self.p50, self.p95) = (p50, p95)
    }
}

/// `2/7`: the second of seven parts.
struct PartArgument: ExpressibleByArgument {
    var part: Int
    var parts: Int

    init?(argument: String) {
        let numbers = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let part = numbers[0], let parts = numbers[1], part >= 1, part <= parts else {
            return nil
        }
        (self.part, self.parts) = (part, parts)
    }
}
