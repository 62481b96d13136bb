import ScanningPolicies
import Testing

@testable import ScanningPipeline

@Suite struct ScanPlanTests {
    @Test(
        "the fast reader before the accurate one before the back end",
        arguments: [
            (true, true, FirstReader.fast), (true, false, .fast),
            (false, true, .accurate), (false, false, .backEnd),
        ]
    )
    func strategy(_ fastReader: Bool, _ accurateReader: Bool, _ expected: FirstReader) {
        for network in [false, true] {
            let capabilities = DeviceCapabilities(
                fastReader: fastReader,
                accurateReader: accurateReader,
                network: network
            )
            #expect(capabilities.firstReader == expected)
        }
    }

    @Test(
        "what a device does by itself",
        arguments: [
            (true, true, ScanStrategy.hybrid), (true, false, .onDeviceOnly), (false, true, .talariaOnly),
        ]
    )
    func plan(_ accurateReader: Bool, _ network: Bool, _ expected: ScanStrategy) throws {
        let capabilities = DeviceCapabilities(fastReader: false, accurateReader: accurateReader, network: network)
        #expect(try ScanPlan(for: capabilities).strategy == expected)
    }

    @Test func nothingToScanWith() {
        let nothing = DeviceCapabilities(fastReader: false, accurateReader: false, network: false)
        #expect(throws: ScanningError.nothingToScanWith) { try ScanPlan(for: nothing) }
        #expect(throws: ScanningError.noReader(.onDeviceOnly)) { try ScanPlan(for: nothing, forced: .onDeviceOnly) }
        #expect(throws: ScanningError.noBackEnd(.hybrid)) { try ScanPlan(for: nothing, forced: .hybrid) }
    }

    @Test func aForcedVariantIsDone() throws {
        let all = DeviceCapabilities(fastReader: true, accurateReader: true, network: true)
        for variant in ScanStrategy.allCases {
            let plan = try ScanPlan(for: all, forced: variant)
            #expect(plan.strategy == variant)
            #expect(plan.firstReader == (variant == .talariaOnly ? .backEnd : .fast))
        }
    }
}
