public import Basics
internal import Foundation
public import Statistics
public import Testing

/// Share of cases that are right, held against a bar.
public struct Quality {
    private var results: [Bool] = []
    private var groups: [String?] = []
    private var faults: [String] = []

    /// No cases.
    public init() {}

    /// Adds a case; those of one group are alike.
    public mutating func add(_ isRight: Bool, group: String? = nil, _ fault: @autoclosure () -> String = "") {
        results.append(isRight)
        groups.append(group)
        if !isRight { faults.append(fault()) }
    }

    /// Share with its interval over the groups.
    public var estimate: RateEstimate { RateEstimate(results, groups: groups) }

    /// Expects a share of right cases of at least `percent`, and prints it.
    public func expect(
        _ name: String,
        atLeast percent: Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let share = 100 * Double(estimate.successes) / Double(max(1, results.count))
        let bounds = estimate.interval.value.map {
            [$0.lowerBound, $0.upperBound].map { NumberText.fixed(100 * $0, 1) }
        }
        let text =
            "\(name): \(NumberText.fixed(share, 1)) % \(bounds.map { "[\($0[0]), \($0[1])] " } ?? "")of \(results.count)"
        print(text)
        #expect(
            !results.isEmpty && share >= percent,
            "\(text), expected \(percent) %\n\(faults.prefix(20).joined(separator: "\n"))",
            sourceLocation: sourceLocation
        )
    }
}

/// Size of the tests that draw cases or measure, by `SPINEBENCH_SIZE` in the environment.
public enum TestSize {
    private static let named = ProcessInfo.processInfo.environment["SPINEBENCH_SIZE"].flatMap { Int($0) }

    /// Whether a size is named: then nothing else is at work, and bars of time hold.
    public static var isMeasured: Bool { named != nil }

    /// Times the usual number of cases.
    public static var factor: Int { max(1, named ?? 1) }
}

extension Trait where Self == ConditionTrait {
    /// Trait of a test whose bars are times: `make stress` runs it, alone.
    public static var measured: Self {
        .enabled(if: TestSize.isMeasured, "measures times: run 'make stress', which sets SPINEBENCH_SIZE")
    }
}

/// Times of calls, by the clock and on the processor: the latter does not grow with the machine's other load.
public struct CallTimes {
    private var wall: [Double] = []
    private var processor: [Double] = []

    /// No calls.
    public init() {}

    /// Calls `body`, and notes its time.
    public mutating func measure<Value>(_ body: () throws -> Value) rethrows -> Value {
        let (start, work) = (ContinuousClock.now, Self.threadMilliseconds)
        let value = try body()
        processor.append(Self.threadMilliseconds - work)
        wall.append(start.duration(to: .now) / .milliseconds(1))
        return value
    }

    /// Calls `body`, and notes its time by the clock.
    public mutating func measureTask(_ body: () async throws -> Void) async rethrows {
        wall.append(try await ContinuousClock().measure(body) / .milliseconds(1))
    }

    /// Returns a percentile of the milliseconds by the clock, by nearest rank.
    public func wall(_ percent: Int) -> Double { Percentile.nearestRank(percent, of: wall.sorted()) }

    /// Returns a percentile of the milliseconds on the processor, by nearest rank.
    public func processor(_ percent: Int) -> Double { Percentile.nearestRank(percent, of: processor.sorted()) }

    private static var threadMilliseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}

extension SplitMix64 {
    /// Returns a draw from the standard normal distribution.
    public mutating func nextNormal() -> Double {
        // Half a step up, so that it is never 0.
        Normal.quantile(nextDouble() + 0x1p-54)
    }
}
