import ArgumentParser
import Basics
import CaptureReading
import Captures
import Foundation
import Imaging

/// Picture of a dataset with what it shows, and what becomes of it as a capture.
struct LabelledCapture: Decodable {
    struct Scene: Decodable {
        var label: SceneLabel
        /// Contents of its QR and bar codes, each once.
        var codes: [String]?
        /// Outline of the foreground subject, in pixels of the picture.
        var subject: [Point]?
    }

    var id: String
    /// Path below the dataset's folder.
    var image: String
    var scene: Scene

    /// Reads the pictures of a dataset, the labels taking turns where there are more than `limit`.
    static func of(_ folder: String, limit: Int?) throws -> [LabelledCapture] {
        let path = "\(folder)/samples.jsonl"
        let lines = try bytes(path).split(separator: 0x0A, omittingEmptySubsequences: false)
        let captures = try lines.enumerated().filter { !$1.isEmpty }.map { number, line in
            do {
                return try JSONDecoder().decode(LabelledCapture.self, from: line)
            } catch {
                throw ValidationError("\(path):\(number + 1): \(error.systemReason)")
            }
        }
        if captures.isEmpty { throw ValidationError("\(path): expected a labelled picture on each line, found none") }
        var seen: [SceneLabel: Int] = [:]
        let turns = captures.map { capture in
            seen[capture.scene.label, default: 0] += 1
            return seen[capture.scene.label] ?? 0
        }
        let order = captures.indices.sorted { (turns[$0], $0) < (turns[$1], $1) }
        return order.prefix(limit ?? .max).map { captures[$0] }
    }

    static func bytes(_ path: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw ValidationError("\(path): cannot be read: \(error.systemReason)")
        }
    }
}

/// Result of a labelled picture as a capture.
struct MeasuredCapture {
    /// What was read, and kept when sources failed; nil of a capture that failed.
    struct Result {
        var label = SceneLabel.unknown
        var codes: [String] = []
        /// Overlap of the subject with its outline; 0 without a subject.
        var overlap = 0.0
        var isSummarised = true
        /// Number of facts known before the capture was processed again with a failing source.
        var facts = 0
        /// Names of the facts that were lost or changed afterwards.
        var lost: [String] = []
        /// Times from the file's bytes, in milliseconds.
        var (draft, text, enriched, ready): (Double?, Double?, Double?, Double?)
        /// Processor time of the process until the capture was ready, in milliseconds.
        var processor: Double?
    }

    var id: String
    var scene: LabelledCapture.Scene
    var result: Result?
    /// Why it failed; nil with a result.
    var problem: String?

    /// Label that was reported; unknown of a capture that failed.
    var label: SceneLabel { result?.label ?? .unknown }

    var isRight: Bool { result?.label == scene.label }

    /// Whether no label was reported although the vocabulary has one, or the capture failed.
    var isUnsaid: Bool { result == nil || label == .unknown && scene.label != .unknown }

    /// Whether each labelled code was read, and false for each code that was read but does not exist.
    var codes: [Bool] {
        let (shown, read) = (scene.codes ?? [], result?.codes ?? [])
        return shown.map(read.contains) + Set(read).subtracting(shown).map { _ in false }
    }
}

extension RasterImage {
    /// Returns the overlap of a mask with the interior (even-odd rule) of an outline in the pixels of a picture of this
    /// width, by the middles of the cells of a grid: intersection over union, 0…1; 0 when both are empty.
    ///
    /// A cell belongs to the mask when at least half of it does. The grid's error is about 1 % for a subject of half a
    /// picture's width.
    func overlap(with outline: [Point], pictureWidth: Int) -> Double {
        let grid = fitted(to: 192)
        let cell = Double(pictureWidth) / Double(grid.width)
        var (both, either) = (0, 0)
        for row in 0..<grid.height {
            let crossings = outline.crossings(at: (Double(row) + 0.5) * cell)
            for column in 0..<grid.width {
                let x = (Double(column) + 0.5) * cell
                let isShown = crossings.count { $0 <= x } % 2 == 1
                let isFound = grid.pixels[row * grid.width + column] >= 128
                if isShown && isFound { both += 1 }
                if isShown || isFound { either += 1 }
            }
        }
        return either == 0 ? 0 : Double(both) / Double(either)
    }
}
