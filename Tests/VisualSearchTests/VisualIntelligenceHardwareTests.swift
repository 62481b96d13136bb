import Testing
import VisualSearch

/// S0-D01; identifiers as `Devices` and Apple's lists of identifiers have them.
@Suite struct VisualIntelligenceHardwareTests {
    @Test(arguments: [
        ("iPhone16,1", true), ("iPhone16,2", true), ("iPhone17,5", true), ("iPhone18,1", true), ("iPad13,4", true),
        ("iPad13,17", true), ("iPad14,3", true), ("iPad16,2", true), ("arm64", true),
        // iPhone 15 (A16), 14 Pro (A16), SE 2, 11; iPad Air 4 and iPad 10 (A14), mini 6 (A15), iPad 11th generation
        // (A16).
        ("iPhone15,4", false), ("iPhone15,2", false), ("iPhone12,8", false), ("iPhone12,1", false),
        ("iPad13,1", false), ("iPad13,18", false), ("iPad14,1", false), ("iPad15,7", false),
        ("x86_64", false), ("iPhone", false), ("iPhone16", false), ("Watch7,1", false), ("", false),
    ])
    func onlyTheNewestDevicesHaveIt(_ machine: String, _ isSupported: Bool) {
        #expect(VisualIntelligenceHardware.isSupported(machine) == isSupported)
    }
}
