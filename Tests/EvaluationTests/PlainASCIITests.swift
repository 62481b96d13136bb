import Testing

@testable import Basics

@Suite struct PlainASCIITests {
    /// Every length around the eight bytes that are compared together, with another byte at every place.
    @Test(arguments: ["a", " ", "~", "\t", "\n", "\u{1F}", "\u{7F}", "é", "\u{80}", "\r\n"])
    func aTextIsPlainWhenItsViewLeavesItsBytesAlone(piece: String) {
        for length in 0...26 {
            for place in 0...length {
                for gap in [nil, place == 0 ? nil : place - 1, place + 9] {
                    var letters = [String](repeating: "x", count: length)
                    if let gap, gap < length { letters[gap] = " " }
                    letters.insert(piece, at: place)
                    expectRightAnswer(letters.joined())
                }
            }
        }
    }

    @Test func nothingIsPlain() {
        expectRightAnswer("")
    }

    private func expectRightAnswer(_ text: String) {
        let bytes = Array(text.utf8)
        bytes.withUnsafeBufferPointer { bytes in
            let isASCII = bytes.allSatisfy { $0 < 0x80 }
            let isTidy =
                isASCII && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
                && TextView.nfc.apply(to: text) == text
            #expect(PlainASCII.isPlain(bytes, in: .nfc) == isTidy, "\(text.debugDescription)")
            let hasReturn = text.unicodeScalars.contains("\r")
            #expect(PlainASCII.isPlain(bytes, in: .raw) == (isASCII && !hasReturn), "\(text.debugDescription)")
        }
    }
}
