internal import Imaging
internal import TextRecognition

/// Line images, or windows of them, side by side on one input of the recogniser.
///
/// The network reads a sheet in the time of its width, however many lines are on it: short lines share one.
struct LineSheet: Sendable, Equatable {
    /// The position of a window on the sheet.
    struct Place: Sendable, Equatable {
        /// Index of the window.
        var window: Int
        /// The column where it begins.
        var column: Int
    }

    /// Places from left to right.
    var places: [Place]
    /// The network's width in pixels.
    var width: Int

    /// Columns between two windows: less than the space between two words, and more than the network's step of eight.
    private static let gap = 24

    /// Returns the sheets that hold windows of these widths in pixels, each in the narrowest of the network's widths
    /// that it fits: the widest sheets first, since a network that takes any shape is slower after each change of it.
    ///
    /// The longest window is placed first, on the first sheet that has room (first fit decreasing).
    ///
    /// - Precondition: the network's widths ascend, there is one, and no window is wider than the last.
    static func sheets(for windows: [Int], widths: [Int]) -> [LineSheet] {
        let widest = widths[widths.count - 1]
        var sheets: [LineSheet] = []
        for window in windows.indices.sorted(by: { (windows[$1], $0) < (windows[$0], $1) }) {
            if let index = sheets.firstIndex(where: { $0.width + gap + windows[window] <= widest }) {
                sheets[index].places.append(Place(window: window, column: sheets[index].width + gap))
                sheets[index].width += gap + windows[window]
            } else {
                sheets.append(LineSheet(places: [Place(window: window, column: 0)], width: windows[window]))
            }
        }
        for index in sheets.indices { sheets[index].width = widths.first { $0 >= sheets[index].width } ?? widest }
        return sheets.enumerated().sorted { ($1.element.width, $0.offset) < ($0.element.width, $1.offset) }.map(
            \.element
        )
    }
}
