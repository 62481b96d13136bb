internal import Basics
internal import Foundation
public import Imaging

/// Modules of a code, dark ones true, without its quiet zone.
public struct DrawnCode: Sendable {
    /// Rows of modules, dark ones true.
    public var modules: [[Bool]]
    /// Modules of quiet zone around it.
    public var quiet: Int

    /// Bars as rows of one pattern.
    private init(bars: [Bool]) {
        modules = Array(repeating: bars, count: max(20, bars.count * 45 / 100))
        quiet = 11
    }

    /// Returns an EAN-13 of 12 digits or of 13 with a right check digit, by the tables of ISO/IEC 15420, section 4.2.
    public static func ean13(_ digits: String) -> DrawnCode {
        let values = digits.compactMap(\.wholeNumberValue)
        let sets = parities[values[0]]
        var bars = [true, false, true]
        for (index, set) in sets.enumerated() { bars += set == "A" ? setA(values[index + 1]) : setB(values[index + 1]) }
        bars += [false, true, false, true, false]
        for value in values[7...] { bars += setA(value).map { !$0 } }
        return DrawnCode(bars: bars + [true, false, true])
    }

    /// Returns an EAN-8 of 8 digits with a right check digit; the same tables.
    public static func ean8(_ digits: String) -> DrawnCode {
        let values = digits.compactMap(\.wholeNumberValue)
        var bars = [true, false, true]
        for value in values[..<4] { bars += setA(value) }
        bars += [false, true, false, true, false]
        for value in values[4...] { bars += setA(value).map { !$0 } }
        return DrawnCode(bars: bars + [true, false, true])
    }

    /// Returns a Code 128 in code set B of printable ASCII, by the widths of ISO/IEC 15417, table 1.
    public static func code128(_ text: String) -> DrawnCode {
        let values = text.utf8.map { Int($0) - 32 }
        // Start B is 104; the check character is the sum of value times position modulo 103.
        let check = (104 + values.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element }) % 103
        let patterns = ([104] + values + [check]).map { widths[$0] } + ["2331112"]
        let bars = patterns.flatMap { pattern in
            pattern.enumerated().flatMap { Array(repeating: $0 % 2 == 0, count: $1.wholeNumberValue ?? 0) }
        }
        return DrawnCode(bars: bars)
    }

    /// Content of `qr`.
    public static let qrText = "https://example.org/a?b=1"

    /// QR code of version 2, level M, mask 3: made by Python's qrcode 8.2 from `qrText`.
    public static let qr = DrawnCode(modules: qrRows.map { $0.map { $0 == "#" } }, quiet: 4)

    /// Creates a code of its modules.
    public init(modules: [[Bool]], quiet: Int) { (self.modules, self.quiet) = (modules, quiet) }

    /// Returns a PNG of its bars, two pixels a module and 60 high, in 24 of white.
    public func png() throws -> [UInt8] {
        let bars = modules[0].flatMap { [UInt8](repeating: $0 ? 0 : 255, count: 2) }
        let blank = [UInt8](repeating: 255, count: 24)
        let line = blank + bars + blank
        let white = [UInt8](repeating: 255, count: line.count * 24)
        let pixels = white + (0..<60).flatMap { _ in line } + white
        return try ImageCodec.encodePNG(RasterImage(width: line.count, height: 108, channels: 1, pixels: pixels))
    }

    private static let qrRows = [
        "#######.###...#.#.#######",
        "#.....#.##.#.##.#.#.....#",
        "#.###.#..#####.#..#.###.#",
        "#.###.#.#...###...#.###.#",
        "#.###.#..#.#..###.#.###.#",
        "#.....#..#....#.#.#.....#",
        "#######.#.#.#.#.#.#######",
        "........##.#...##........",
        "#.##.###....#..##.#..#.##",
        ".##..#.###.#.#...#.#...#.",
        ".##..######.##..#####....",
        "..#....#.#..###......##..",
        ".#.##.#.########.##.#.###",
        ".#.###.....##.#######...#",
        ".###..#..#.#.#..#...#.##.",
        "#..##.....##..#######...#",
        "..#..###.#...############",
        "........###...#.#...#.#.#",
        "#######.###..##.#.#.#.###",
        "#.....#.##.#...##...#....",
        "#.###.#..##.#.#.######..#",
        "#.###.#.#####..#.##.#####",
        "#.###.#.#######..##.#.##.",
        "#.....#...#.##.#.##.#.#..",
        "#######.####.#...########",
    ]

    private static let parities = [
        "AAAAAA", "AABABB", "AABBAB", "AABBBA", "ABAABB", "ABBAAB", "ABBBAA", "ABABAB", "ABABBA", "ABBABA",
    ]

    private static func setA(_ digit: Int) -> [Bool] {
        let sets = [
            "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111",
            "0001011",
        ]
        return sets[digit].map { $0 == "1" }
    }

    /// Returns a digit of set B, which is the complement of A, from right to left.
    private static func setB(_ digit: Int) -> [Bool] { setA(digit).reversed().map { !$0 } }

    private static let widths = """
        212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212
        112232 122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131
        311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321
        112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
        313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111
        314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114
        122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212
        124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
        114311 411113 411311 113141 114131 311141 411131 211412 211214 211232
        """
        .split { $0.isWhitespace }.map(String.init)
}

extension RasterImage {
    /// Returns a grey picture of one brightness.
    public static func plain(_ width: Int, _ height: Int, _ value: UInt8 = 200) -> RasterImage {
        RasterImage(width: width, height: height, channels: 1, filledWith: value)
    }

    /// Draws a code with its quiet zone.
    ///
    /// - Parameters:
    ///   - code: the content to draw.
    ///   - x: of its middle, in pixels.
    ///   - y: of its middle.
    ///   - degrees: clockwise.
    ///   - scale: pixels of a module.
    ///   - dark: brightness of its bars.
    ///   - light: of its paper.
    public mutating func draw(
        _ code: DrawnCode,
        x: Double,
        y: Double,
        degrees: Double = 0,
        scale: Double = 3,
        dark: Double = 30,
        light: Double = 230
    ) {
        let (columns, rows) = (code.modules[0].count, code.modules.count)
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let (halfX, halfY) = (Double(columns) / 2 + Double(code.quiet), Double(rows) / 2 + Double(code.quiet))
        let reach = (halfX * halfX + halfY * halfY).squareRoot() * scale + 1
        for row in max(0, Int(y - reach))..<min(height, Int(y + reach) + 1) {
            for column in max(0, Int(x - reach))..<min(width, Int(x + reach) + 1) {
                var sum = 0.0
                // The mean of four points of a pixel.
                for (a, b) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                    let (dx, dy) = ((Double(column) + a - x) / scale, (Double(row) + b - y) / scale)
                    let (u, v) = (dx * cosine + dy * sine, dy * cosine - dx * sine)
                    let (i, j) = (
                        Int((u + Double(columns) / 2).rounded(.down)), Int((v + Double(rows) / 2).rounded(.down))
                    )
                    if abs(u) > halfX || abs(v) > halfY {
                        sum += Double(pixels[row * width + column])
                    } else if i >= 0, j >= 0, i < columns, j < rows, code.modules[j][i] {
                        sum += dark
                    } else {
                        sum += light
                    }
                }
                pixels[row * width + column] = UInt8(sum / 4)
            }
        }
    }

    /// Adds noise of about that standard deviation (the sum of four even ones), the same for the same seed.
    public mutating func addNoise(_ deviation: Double, seed: UInt64) {
        var random = SplitMix64(state: seed)
        for index in pixels.indices {
            let sum = (0..<4).reduce(0.0) { sum, _ in sum + random.nextDouble() } - 2
            // An even number in 0…1 has a variance of 1/12.
            pixels[index] = UInt8(min(255, max(0, Double(pixels[index]) + sum * 3.0.squareRoot() * deviation)))
        }
    }
}
