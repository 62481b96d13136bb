import ScanningPolicies
import Testing

@testable import ScanningPipeline

@Suite struct ScanPlanTests {
    @Test(
        "Visual Intelligence before Vision before the back end",
        arguments: [
            (true, true, FirstReader.visualIntelligence), (true, false, .visualIntelligence),
            (false, true, .visionFramework), (false, false, .talariaFallback),
        ]
    )
    func strategy(_ visualIntelligence: Bool, _ vision: Bool, _ expected: FirstReader) {
        #expect(FirstReader.determine(visualIntelligence: visualIntelligence, vision: vision) == expected)
    }

    @Test(
        "what a device does by itself",
        arguments: [
            (true, true, ScanStrategy.hybrid), (true, false, .onDeviceOnly), (false, true, .talariaOnly),
        ]
    )
    func plan(_ vision: Bool, _ network: Bool, _ expected: ScanStrategy) throws {
        let capabilities = DeviceCapabilities(visualIntelligence: false, vision: vision, network: network)
        #expect(try ScanPlan(for: capabilities).strategy == expected)
    }

    @Test func nothingToScanWith() {
        let nothing = DeviceCapabilities(visualIntelligence: false, vision: false, network: false)
        #expect(throws: ScanningError.nothingToScanWith) { try ScanPlan(for: nothing) }
        #expect(throws: ScanningError.noReader(.onDeviceOnly)) { try ScanPlan(forced: .onDeviceOnly, with: nothing) }
        #expect(throws: ScanningError.noBackEnd(.hybrid)) { try ScanPlan(forced: .hybrid, with: nothing) }
    }

    @Test func aForcedVariantIsDone() throws {
        let all = DeviceCapabilities(visualIntelligence: true, vision: true, network: true)
        for variant in ScanStrategy.allCases {
            let plan = try ScanPlan(forced: variant, with: all)
            #expect(plan.strategy == variant)
            #expect(plan.firstReader == (variant == .talariaOnly ? .talariaFallback : .visualIntelligence))
        }
    }
}
