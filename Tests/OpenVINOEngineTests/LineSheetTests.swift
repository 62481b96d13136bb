import Testing

@testable import OpenVINOEngine

@Suite struct LineSheetTests {
    private func sheets(_ windows: [Int]) -> [String] {
        LineSheet.sheets(for: windows, widths: [160, 320]).map { sheet in
            "\(sheet.width): " + sheet.places.map { "\($0.window) at \($0.column)" }.joined(separator: ", ")
        }
    }

    @Test func nothingNeedsNoSheet() { #expect(sheets([]).isEmpty) }

    @Test(arguments: [(1, 160), (160, 160), (161, 320), (320, 320)])
    func lineIsReadAtTheNarrowestWidthThatHoldsIt(width: Int, sheet: Int) {
        #expect(sheets([width]) == ["\(sheet): 0 at 0"])
    }

    @Test func shortLinesShareASheet() {
        // 148 + 24 + 148 fill it.
        #expect(sheets([148, 148]) == ["320: 0 at 0, 1 at 172"])
        #expect(sheets([149, 148]) == ["160: 0 at 0", "160: 1 at 0"])
    }

    @Test func longestIsPlacedFirstAndTheWidestSheetIsReadFirst() {
        // 300 leaves no room; 200 + 24 + 90 = 314; 60 begins a separate sheet.
        #expect(sheets([60, 90, 300, 200]) == ["320: 2 at 0", "320: 3 at 0, 1 at 224", "160: 0 at 0"])
    }

    @Test func equalLinesKeepTheirOrder() {
        #expect(sheets([310, 310, 50, 50]) == ["320: 0 at 0", "320: 1 at 0", "160: 2 at 0, 3 at 74"])
    }
}
