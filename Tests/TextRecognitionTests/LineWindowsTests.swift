import Imaging
import Testing

@testable import TextRecognition

@Suite struct LineWindowsTests {
    private func windows(of line: RasterImage) -> [LineWindow] { line.lineWindows(maximumWidth: 100, margin: 10) }

    /// Returns vertical stripes everywhere, but for a blank gap.
    private func line(_ width: Int, blank: Range<Int> = 0..<0) -> RasterImage {
        image(width, 24) { x, y in blank.contains(x) ? 255 : (x + y) % 3 == 0 ? 0 : 255 }
    }

    @Test func lineThatFitsIsOneWindow() {
        for width in [1, 99, 100] {
            let windows = self.windows(of: line(width))
            #expect(windows == [LineWindow(own: 0..<width, seen: 0..<width)])
        }
    }

    @Test(arguments: [101, 160, 161, 240, 241, 333, 1000, 4800])
    func ownColumnsCoverTheLineExactlyAndNoWindowIsTooWide(width: Int) {
        let windows = self.windows(of: line(width))
        #expect(windows.first?.own.lowerBound == 0)
        #expect(windows.last?.own.upperBound == width)
        for (left, right) in zip(windows, windows.dropFirst()) {
            #expect(left.own.upperBound == right.own.lowerBound)
        }
        for window in windows {
            #expect(!window.own.isEmpty)
            #expect(window.seen.count <= 100)
            #expect(window.seen.lowerBound == max(0, window.own.lowerBound - 10))
            #expect(window.seen.upperBound == min(width, window.own.upperBound + 10))
        }
        // Each window holds 80 columns, so there are no more than are needed.
        #expect(windows.count == (width + 79) / 80)
    }

    @Test func narrowestWindowsCoverEveryWidth() {
        for width in 9...60 {
            let windows = line(width).lineWindows(maximumWidth: 8, margin: 0)
            #expect(windows.reduce(0) { $0 + $1.own.count } == width)
            #expect(windows.allSatisfy { (1...8).contains($0.seen.count) })
        }
    }

    /// 150 columns are two windows of 75, give or take 5 (the rest of 80): the cut is in 70...80, as near to 75 as it can; a
    /// gap out of reach does not count.
    @Test(arguments: [(71..<74, 73), (78..<90, 78), (40..<60, 75)])
    func cutFallsIntoTheGapBetweenWords(blank: Range<Int>, cut: Int) {
        var framed = line(150, blank: blank)
        let windows = self.windows(of: framed)
        #expect(windows.map(\.own) == [0..<cut, cut..<150])
        #expect(self.windows(of: framed.rgb()) == windows)
        // A frame above and below the letters does not hide a gap.
        for x in 0..<150 { (framed.pixels[x], framed.pixels[23 * 150 + x]) = (0, 0) }
        #expect(self.windows(of: framed) == windows)
    }

    @Test func lineOfOneRowIsCut() {
        let thin = RasterImage(width: 250, height: 1, channels: 1, filledWith: 9)
        #expect(windows(of: thin).reduce(0) { $0 + $1.own.count } == 250)
    }
}
