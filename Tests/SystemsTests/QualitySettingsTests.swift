import OpenVINOEngine
import ScanningPolicies
import SpineReaders
import Systems
import Testing
import TextRecognition

@Suite struct QualitySettingsTests {
    @Test func highIsAccurateAndMediumIsFast() {
        #expect(ReadingSettings(.high) == .accurate && ReadingSettings(.medium) == .fast)
    }

    /// Three quarters of 96 and 1024 pixels, and one look.
    @Test func lowIsFastWithASmallerPicture() {
        let low = ReadingSettings(.low)
        #expect(low.reader.firstLook == Look(frame: .turned, shortSide: 72, longSide: 768))
        #expect(low.reader.furtherLooks.isEmpty)
        #expect(low.resolvedCanvases.allSatisfy { $0.height <= 96 && $0.width <= 768 })
    }
}
