import Testing

@testable import ScanningPolicies

@Suite struct ThermalPolicyTests {
    /// The frames of the first six that are worked on, from the text of each policy by hand.
    @Test(
        "which of six frames are worked on",
        arguments: [
            (ThermalPolicy.seedCode, ThermalState.nominal, [1, 2, 3, 4, 5, 6]),
            (.seedCode, .fair, [1, 2, 3, 4, 5, 6]), (.seedCode, .serious, [3, 6]), (.seedCode, .critical, []),
            (.seedCode, .unknown, [1, 2, 3, 4, 5, 6]), (.proactive, .nominal, [1, 2, 3, 4, 5, 6]),
            (.proactive, .fair, [2, 4, 6]), (.proactive, .serious, [3, 6]), (.proactive, .critical, []),
            (.none, .critical, [1, 2, 3, 4, 5, 6]), (.interval, .critical, []),
            // Frames are 100 ms apart: at least 150, 250 and 500 ms between those that are worked on.
            (.interval, .nominal, [1, 3, 5]), (.interval, .fair, [1, 4]), (.interval, .serious, [1, 6]),
        ]
    )
    func frames(_ policy: ThermalPolicy, _ state: ThermalState, _ expected: [Int]) {
        var last: Int?
        var processed: [Int] = []
        for frame in 1...6 {
            let since = last.map { Duration.milliseconds(100 * (frame - $0)) }
            guard policy.processes(state: state, frameCount: frame, sinceLast: since) else { continue }
            last = frame
            processed.append(frame)
        }
        #expect(processed == expected)
    }
}
