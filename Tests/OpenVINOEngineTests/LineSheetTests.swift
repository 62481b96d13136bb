import Testing

@testable import OpenVINOEngine

@Suite struct LineSheetTests {
    /// Widths of windows, and the sheets of 160 and 320 columns that they are read on.
    @Test(
        arguments: [
            ([], []),
            ([1], ["160: 0 at 0"]), ([160], ["160: 0 at 0"]), ([161], ["320: 0 at 0"]), ([320], ["320: 0 at 0"]),
            // 148 + 24 + 148 fill it.
            ([148, 148], ["320: 0 at 0, 1 at 172"]), ([149, 148], ["160: 0 at 0", "160: 1 at 0"]),
            // The longest first: 300 leaves no room; 200 + 24 + 90 = 314; 60 begins a separate sheet.
            ([60, 90, 300, 200], ["320: 2 at 0", "320: 3 at 0, 1 at 224", "160: 0 at 0"]),
            ([310, 310, 50, 50], ["320: 0 at 0", "320: 1 at 0", "160: 2 at 0, 3 at 74"]),
        ] as [([Int], [String])]
    )
    func linesShareSheets(windows: [Int], expected: [String]) {
        let sheets = LineSheet.sheets(for: windows, widths: [160, 320]).map { sheet in
            "\(sheet.width): " + sheet.places.map { "\($0.window) at \($0.column)" }.joined(separator: ", ")
        }
        #expect(sheets == expected)
    }
}
