import Testing

@testable import ScanningPolicies

@Suite struct FrameTriageTests {
    @Test func theCheapestReasonIsGivenAndNothingIsExaminedForIt() {
        var triage = FrameTriage(thermalPolicy: .seedCode, minimumInterval: .milliseconds(200))
        var examined = 0
        func decide(_ milliseconds: Int, _ state: ThermalState = .nominal, isClosed: Bool = false) -> FrameOutcome? {
            triage.decide(at: .milliseconds(milliseconds), state: state, isShutterClosed: isClosed) {
                examined += 1
                return milliseconds != 400
            }
        }
        triage.isPaused = true
        #expect(decide(0, .critical, isClosed: true) == .paused)
        triage.isPaused = false
        triage.isReaderUnloaded = true
        #expect(decide(16, .critical, isClosed: true) == .noReader)
        triage.isReaderUnloaded = false
        #expect(decide(33, .critical, isClosed: true) == .shutterClosed)
        #expect(decide(67, .critical) == .thermal)
        // The fifth frame is not one of three.
        #expect(decide(100, .serious) == .thermal)
        #expect(examined == 0)
        #expect(decide(133) == nil)
        #expect(decide(300) == .tooSoon)
        #expect(decide(400) == .moving)
        #expect(decide(433) == nil)
        triage.note(.sameSpine)
        #expect(examined == 3)
        let counts: [FrameOutcome: Int] = [
            .paused: 1, .noReader: 1, .shutterClosed: 1, .thermal: 2, .tooSoon: 1, .moving: 1, .sameSpine: 1,
            .scanned: 1,
        ]
        #expect(triage.counts.filter { $0.value > 0 } == counts)
    }
}
