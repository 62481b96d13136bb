import Basics
import Foundation
import Imaging

/// Check of every picture that the labels name, each once, on all cores.
struct PictureSurvey {
    /// What labels say of a picture.
    private struct Stated {
        var image: String
        var split: String?
        var width: Double?
        var height: Double?
        /// Regions by the paths of their fields.
        var regions: [(path: String, corners: [Point])]
    }

    /// Faults of labels and pictures that do not match, in the order of files and lines.
    private(set) var faults: [Fault] = []
    /// Warnings, which a dataset may have and an evaluation should report.
    private(set) var warnings: [Fault] = []
    private(set) var checks: [String: PictureCheck] = [:]
    /// Pictures whose fault has been reported.
    private var reported: Set<String> = []

    init(_ labels: Labels, in folder: String, _ store: PictureStore) {
        let images = Array(Set(labels.samples.map(\.record.image) + labels.shelves.map(\.record.image)))
        let found = concurrentMap(images.count) { PictureCheck(images[$0], in: store) }
        checks = Dictionary(uniqueKeysWithValues: zip(images, found))
        check(labels.samples, in: "\(folder)/\(Labels.samplesFile)") { sample in
            Stated(
                image: sample.image,
                split: sample.split,
                regions: [("outline", sample.outline?.corners ?? [])] + Self.regions(of: sample.lines)
            )
        }
        check(labels.shelves, in: "\(folder)/\(Labels.shelvesFile)") { shelf in
            let regions = shelf.books.enumerated().flatMap { index, book in
                [("books[\(index)].quad", book.quad?.corners ?? [])]
                    + Self.regions(of: book.lines, path: "books[\(index)].")
            }
            return Stated(image: shelf.image, width: shelf.width, height: shelf.height, regions: regions)
        }
    }

    private static func regions(of lines: [LabelledLine]?, path: String = "") -> [(path: String, corners: [Point])] {
        (lines ?? []).enumerated().map { ("\(path)lines[\($0)].quad", $1.quad?.corners ?? []) }
    }

    private mutating func check<Record>(
        _ labels: [Labels.Labelled<Record>],
        in file: String,
        _ stated: (Record) -> Stated
    ) {
        var (own, entries) = ([Fault](), [SamePictures.Entry]())
        for label in labels {
            let stated = stated(label.record)
            guard let check = checks[stated.image] else { continue }
            func fault(_ message: String) -> Fault { Fault(file: file, line: label.line, message: message) }
            entries.append(SamePictures.Entry(label.line, stated.image, split: stated.split, check))
            if let problem = check.problem, reported.insert(stated.image).inserted {
                own.append(fault("image \(problem)"))
            }
            if check.hasLocation, reported.insert(stated.image).inserted {
                warnings.append(
                    fault(
                        "image \"\(stated.image)\" contains its GPS location; remove its metadata before you publish it, as "
                            + "'dataset import' does"
                    )
                )
            }
            guard let (width, height) = check.size else { continue }
            // Labels that were drawn on a rotated picture, or on a smaller copy, are recognised by this.
            let sides = [(stated.width, width), (stated.height, height)]
            if sides.contains(where: { stated, size in stated.map { $0.rounded(.down) != Double(size) } ?? false }) {
                let sides = sides.map { $0.0.map(NumberText.short) ?? "?" }
                let picture = "the picture has \(width) × \(height) pixels"
                own.append(fault("\"width\" and \"height\" are \(sides[0]) × \(sides[1]), \(picture)"))
            }
            for (path, corners) in stated.regions {
                guard let point = corners.stray(outside: width, height) else { continue }
                let place = [point.x, point.y].map { "\(($0 * 10).rounded() / 10)" }.joined(separator: ", ")
                own.append(
                    fault("\"\(path)\" reaches to [\(place)], outside the picture of \(width) × \(height) pixels")
                )
            }
        }
        for finding in SamePictures.find(in: entries) {
            let fault = Fault(file: file, line: finding.line, message: finding.message)
            if finding.isLeak { own.append(fault) } else { warnings.append(fault) }
        }
        // A stable order: the leaks were found after the other faults.
        faults += own.enumerated().sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
            .map(\.element)
    }
}
