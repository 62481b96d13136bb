import Basics
import Imaging

/// Fingerprint of a picture: alike for the same picture at another size, quality or brightness.
///
/// The picture is turned so that its long side is upright, and averaged to 16 × 64 values of luminance. Two
/// differential hashes of it, 8 × 16 values compared downwards and across (the "dHash" of Krawetz 2013), name
/// candidates; the correlation of the values decides. On 247 spines from 14 photographs and a generator, no two
/// different ones had more than 0.91; each of them again at JPEG quality 50, half the size or 15 % more brightness
/// had 0.96 or more. Cropping by 2 % a side escapes.
package struct PictureFingerprint: Sendable {
    static let width = 16
    static let height = 64
    /// Bits of the hashes, out of 232, that may differ.
    static let maximumDistance = 36
    /// Pearson's coefficient, from which two pictures are the same.
    static let minimumCorrelation = 0.95

    private let values: [UInt8]
    private let hash: SIMD4<UInt64>
    /// The hash of the picture upside down.
    private let turned: SIMD4<UInt64>
    private let mean: Double
    /// Square root of the summed squares of the deviations from the mean.
    private let norm: Double

    /// Creates the fingerprint; nil for a picture so even that it resembles any other even one.
    init?(_ image: RasterImage) {
        let values = Self.averages(image)
        let mean = values.reduce(0.0) { $0 + Double($1) } / Double(values.count)
        let norm = values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }.squareRoot()
        // A standard deviation of one step of luminance.
        guard norm >= Double(values.count).squareRoot() else { return nil }
        self.values = values
        self.mean = mean
        self.norm = norm
        hash = Self.hash(values)
        turned = Self.hash(values.reversed())
    }

    /// Returns whether both show the same, either way up.
    package func isNear(_ other: PictureFingerprint) -> Bool {
        Self.distance(hash, other.hash) <= Self.maximumDistance
            && correlation(other, turned: false) >= Self.minimumCorrelation
            || Self.distance(turned, other.hash) <= Self.maximumDistance
                && correlation(other, turned: true) >= Self.minimumCorrelation
    }

    private func correlation(_ other: PictureFingerprint, turned: Bool) -> Double {
        var sum = 0
        let last = values.count - 1
        for index in values.indices {
            sum += Int(values[turned ? last - index : index]) * Int(other.values[index])
        }
        return (Double(sum) - Double(values.count) * mean * other.mean) / (norm * other.norm)
    }

    private static func distance(_ a: SIMD4<UInt64>, _ b: SIMD4<UInt64>) -> Int {
        let bits = a ^ b
        return bits.indices.reduce(0) { $0 + bits[$1].nonzeroBitCount }
    }

    /// Returns a bit for each of 8 × 16 averages that is brighter than the one above it, and for each brighter than
    /// the one left.
    private static func hash(_ values: [UInt8]) -> SIMD4<UInt64> {
        let (columns, rows) = (8, 16)
        let coarse = (0..<(columns * rows)).map { cell in
            let (x, y) = (cell % columns * 2, cell / columns * 4)
            return (0..<8).reduce(0) { $0 + Int(values[(y + $1 / 2) * width + x + $1 % 2]) }
        }
        var hash = SIMD4<UInt64>()
        for cell in coarse.indices {
            if cell >= columns, coarse[cell] > coarse[cell - columns] { hash[cell / 64] |= 1 << UInt64(cell % 64) }
            if cell % columns > 0, coarse[cell] > coarse[cell - 1] { hash[2 + cell / 64] |= 1 << UInt64(cell % 64) }
        }
        return hash
    }

    /// Returns 16 columns and 64 rows of average luminance, the long side upright.
    private static func averages(_ image: RasterImage) -> [UInt8] {
        let isLying = image.width > image.height
        let (columns, rows) = isLying ? (height, width) : (width, height)
        let boxes = averages(image, columns: columns, rows: rows)
        guard isLying else { return boxes }
        // A quarter turn clockwise: the first column is the last row.
        return (0..<(width * height)).map { cell in
            boxes[(rows - 1 - cell % width) * columns + cell / width]
        }
    }

    private static func averages(_ image: RasterImage, columns: Int, rows: Int) -> [UInt8] {
        image.pixels.withUnsafeBufferPointer { pixels in
            (0..<(columns * rows)).map { cell in
                let x = span(cell % columns, of: columns, in: image.width)
                let y = span(cell / columns, of: rows, in: image.height)
                var sum = 0
                for row in y {
                    let first = (row * image.width + x.lowerBound) * image.channels
                    if image.channels == 1 {
                        for index in first..<(first + x.count) { sum += Int(pixels[index]) << 8 }
                    } else {
                        for index in stride(from: first, to: first + x.count * image.channels, by: image.channels) {
                            // Rec. 601 luma in 256ths.
                            sum += 77 * Int(pixels[index]) + 150 * Int(pixels[index + 1]) + 29 * Int(pixels[index + 2])
                        }
                    }
                }
                return UInt8(sum / (256 * x.count * y.count))
            }
        }
    }

    /// Returns the pixels that the part of a side covers, one at least.
    private static func span(_ part: Int, of parts: Int, in side: Int) -> Range<Int> {
        let start = part * side / parts
        return start..<max(start + 1, (part + 1) * side / parts)
    }
}

enum SamePictures {
    struct Entry: Sendable {
        var line: Int
        var image: String
        var split: String?
        var digest: String?
        var fingerprint: PictureFingerprint?
    }

    struct Finding: Sendable, Equatable {
        var line: Int
        var message: String
        var isLeak: Bool
    }

    /// Returns a finding for each picture with an earlier one like it; one in another split has priority.
    static func find(in entries: [Entry]) -> [Finding] {
        var earlier: [String: [Int]] = [:]
        var originals: [Int] = []
        var twin = [(of: Int, isSame: Bool)?](repeating: nil, count: entries.count)
        for (index, entry) in entries.enumerated() {
            guard let digest = entry.digest else { continue }
            let known = earlier[digest] ?? []
            if let match = known.first(where: { isLeak(entries[$0], entry) }) ?? known.first {
                twin[index] = (match, true)
            } else {
                originals.append(index)
            }
            // One of each split is enough to find any leak.
            if !known.contains(where: { entries[$0].split == entry.split }) {
                earlier[digest, default: []].append(index)
            }
        }
        let looked = originals.compactMap { index in entries[index].fingerprint.map { (index, $0) } }
        let matches = concurrentMap(looked.count) { index -> Int? in
            let (entry, fingerprint) = looked[index]
            var first: Int?
            for (other, otherFingerprint) in looked[..<index] where fingerprint.isNear(otherFingerprint) {
                if isLeak(entries[other], entries[entry]) { return other }
                first = first ?? other
            }
            return first
        }
        for ((index, _), match) in zip(looked, matches) { if let match { twin[index] = (match, false) } }
        return entries.indices.compactMap { index in
            twin[index].map { finding(entries[index], like: entries[$0.of], isSame: $0.isSame) }
        }
    }

    private static func isLeak(_ a: Entry, _ b: Entry) -> Bool {
        a.split != nil && b.split != nil && a.split != b.split
    }

    private static func finding(_ entry: Entry, like other: Entry, isSame: Bool) -> Finding {
        let isLeak = isLeak(entry, other)
        let likeness =
            entry.image == other.image
            ? "equals that of"
            : isSame ? "has the same bytes as \"\(other.image)\" of" : "looks like \"\(other.image)\" of"
        let splits = isLeak ? ", across splits \(other.split ?? "") and \(entry.split ?? "")" : ""
        let message = "image \"\(entry.image)\" \(likeness) line \(other.line)\(splits)"
        return Finding(line: entry.line, message: message, isLeak: isLeak)
    }
}

extension SamePictures.Entry {
    init(_ line: Int, _ image: String, split: String?, _ check: PictureCheck) {
        self.init(line: line, image: image, split: split, digest: check.digest, fingerprint: check.fingerprint)
    }
}
