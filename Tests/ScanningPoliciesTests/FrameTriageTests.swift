import Testing

@testable import ScanningPolicies

@Suite struct FrameTriageTests {
    @Test func theCheapestReasonIsGivenAndNothingIsExaminedForIt() {
        var triage = FrameTriage(thermalPolicy: .seedCode, minimumInterval: .milliseconds(200))
        var examined = 0
        func decide(_ milliseconds: Int, _ state: ThermalState = .nominal, closed: Duration? = nil) -> FrameTriage.Skip?
        {
            triage.decide(at: .milliseconds(milliseconds), state: state, shutterClosedFor: closed) {
                examined += 1
                return milliseconds != 400
            }
        }
        triage.isPaused = true
        #expect(decide(0, .critical, closed: .seconds(1)) == .paused)
        triage.isPaused = false
        triage.isReaderUnloaded = true
        #expect(decide(16, .critical, closed: .seconds(1)) == .noReader)
        triage.isReaderUnloaded = false
        #expect(decide(33, .critical, closed: .seconds(1)) == .shutterClosed(.seconds(1)))
        #expect(decide(67, .critical) == .tooHot)
        // The fifth frame is not one of three.
        #expect(decide(100, .serious) == .thermal)
        #expect(examined == 0)
        #expect(decide(133) == nil)
        #expect(decide(300) == .tooSoon)
        #expect(decide(400) == .noSpine)
        #expect(decide(433) == nil)
        triage.countDuplicate(isText: true)
        #expect(examined == 3)
        let counts = triage.counts
        #expect(counts.arrived == 9 && counts.read == 2 && counts.examined == 3 && counts.noNews == 1)
        let early = counts.paused + counts.noReader + counts.shutterClosed
        #expect(early + counts.thermal + counts.tooSoon + counts.noSpine == 7)
    }

    @Test func withoutAGateEveryFrameIsRead() {
        var triage = FrameTriage(thermalPolicy: .none)
        for frame in 0..<5 { #expect(triage.decide(at: .milliseconds(frame), state: .critical, hasSpine: nil) == nil) }
        #expect(triage.counts.read == 5 && triage.counts.examined == 0)
    }
}
