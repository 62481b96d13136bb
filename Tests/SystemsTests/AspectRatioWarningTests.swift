import Systems
import Testing
import TextRecognition

@Suite struct SeveralSpinesTests {
    @Test(
        "what is shorter than a spine is taken for several",
        arguments: [
            // Photographs are as 4:3 or 3:2; the least slender crop of a real spine is 579 x 212 pixels.
            (4_032, 3_024, true), (3_024, 4_032, true), (1_944, 2_910, true), (2_715, 1_058, true), (579, 212, false),
            (60, 700, false), (700, 60, false), (4, 4, false),
        ]
    )
    func shapes(_ width: Int, _ height: Int, _ isSeveral: Bool) {
        #expect(ShelfReader.isLikely(width: width, height: height) == isSeveral)
    }

    @Test func whatIsNoPictureHasNoRemark() { #expect(AspectRatioWarning.remark(on: [1, 2, 3], name: "a") == nil) }
}
