import Testing

@testable import SpineSynthesis

@Suite("Colour")
struct ColourTests {
    @Test("contrast runs from 1 to 21")
    func contrast() {
        #expect(abs(Colour.black.contrast(with: .white) - 21) < 1e-9)
        #expect(Colour(0x336699).contrast(with: Colour(0x336699)) == 1)
        // #767676 on white is the lightest grey that passes 4.5 : 1; WebAIM's contrast checker reports 4.54.
        #expect(abs(Colour(0x767676).contrast(with: .white) - 4.54) < 0.005)
    }
}
