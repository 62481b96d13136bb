import Basics
import Foundation
import Imaging

/// Check of every picture that the labels name, each once, on all cores.
struct PictureSurvey {
    /// SHA-256 by path inside the dataset.
    private(set) var digests: [String: String] = [:]
    /// Faults of labels and pictures that do not match, in the order of files and lines.
    private(set) var faults: [Fault] = []
    /// Warnings, which a dataset may have and an evaluation should report.
    private(set) var warnings: [Fault] = []

    private let folder: String
    private let store: PictureStore
    private(set) var checks: [String: PictureCheck] = [:]
    /// Pictures whose fault has been reported.
    private var reported: Set<String> = []

    init(_ labels: Labels, in folder: String, _ store: PictureStore) {
        self.folder = folder
        self.store = store
        look(at: labels.samples.map(\.record.image) + labels.shelves.map(\.record.shelf.image))
        let file = "\(folder)/\(Labels.samplesFile)"
        for label in labels.samples { check(label.record, in: file, line: label.line) }
        for label in labels.shelves { check(label.record, line: label.line) }
        compare(labels)
    }

    private mutating func look(at images: [String]) {
        var seen: Set<String> = []
        let unique = images.filter { seen.insert($0).inserted }
        let store = store
        let found = Parallel.map(unique.count) { PictureCheck(unique[$0], in: store) }
        for (image, check) in zip(unique, found) { checks[image] = check }
        digests = checks.compactMapValues(\.digest)
    }

    private mutating func check(_ sample: Sample, in file: String, line: Int) {
        guard let size = size(of: sample.image, file: file, line: line) else { return }
        let regions = [("outline", sample.outline)] + Self.regions(of: sample.lines, path: "")
        for (name, quad) in regions { check(name, quad?.corners ?? [], size, file, line) }
        check("scene.subject", sample.scene?.subject ?? [], size, file, line)
    }

    private mutating func check(_ record: ShelfRecord, line: Int) {
        let file = "\(folder)/\(Labels.shelvesFile)"
        guard let size = size(of: record.shelf.image, file: file, line: line) else { return }
        // Labels that were drawn on a rotated picture, or on a smaller copy, are recognised by this.
        if Int(record.width ?? Double(size.width)) != size.width
            || Int(record.height ?? Double(size.height)) != size.height
        {
            let stated = [record.width, record.height].map { $0.map { String(Int($0)) } ?? "?" }
            let picture = "the picture has \(size.width) × \(size.height) pixels"
            add("\"width\" and \"height\" are \(stated[0]) × \(stated[1]), \(picture)", file, line)
        }
        for (index, book) in record.shelf.books.enumerated() {
            let path = "books[\(index)]."
            for (name, quad) in [(path + "quad", book.quad)] + Self.regions(of: book.lines, path: path) {
                check(name, quad?.corners ?? [], size, file, line)
            }
        }
    }

    private static func regions(of lines: [LabelledLine]?, path: String) -> [(String, Quad?)] {
        (lines ?? []).enumerated().map { ("\(path)lines[\($0)].quad", $1.quad) }
    }

    /// Returns the picture's size; nil, with a fault at its first use, when it cannot be used.
    private mutating func size(of image: String, file: String, line: Int) -> (width: Int, height: Int)? {
        guard let check = checks[image] else { return nil }
        if let problem = check.problem, reported.insert(image).inserted { add("image \(problem)", file, line) }
        if check.hasLocation, reported.insert(image).inserted {
            let message =
                "image \"\(image)\" contains its GPS location; remove its metadata before you publish it, as "
                + "'dataset import' does"
            warnings.append(Fault(file: file, line: line, message: message))
        }
        return check.size
    }

    private mutating func check(
        _ name: String,
        _ corners: [Point],
        _ size: (width: Int, height: Int),
        _ file: String,
        _ line: Int
    ) {
        guard let point = corners.stray(outside: size.width, size.height) else { return }
        let place = "[\(Self.text(point.x)), \(Self.text(point.y))]"
        add("\"\(name)\" reaches to \(place), outside the picture of \(size.width) × \(size.height) pixels", file, line)
    }

    private static func text(_ coordinate: Double) -> String { "\((coordinate * 10).rounded() / 10)" }

    private mutating func add(_ message: String, _ file: String, _ line: Int) {
        faults.append(Fault(file: file, line: line, message: message))
    }

    private mutating func compare(_ labels: Labels) {
        for (file, pictures) in [
            (Labels.samplesFile, labels.samples.map { ($0.line, $0.record.image, $0.record.split) }),
            (Labels.shelvesFile, labels.shelves.map { ($0.line, $0.record.shelf.image, nil) }),
        ] {
            let entries = pictures.map { line, image, split in
                let check = checks[image]
                return SamePictures.Entry(
                    line: line,
                    image: image,
                    split: split,
                    digest: check?.digest,
                    fingerprint: check?.fingerprint
                )
            }
            for finding in SamePictures.find(in: entries) {
                let fault = Fault(file: "\(folder)/\(file)", line: finding.line, message: finding.message)
                if finding.isLeak { faults.append(fault) } else { warnings.append(fault) }
            }
        }
        // A stable order: the leaks of a file were found after its other faults.
        let order = [Labels.samplesFile, Labels.shelvesFile].map { "\(folder)/\($0)" }
        faults = faults.enumerated().sorted { a, b in
            let (first, second) = (order.firstIndex(of: a.element.file) ?? 0, order.firstIndex(of: b.element.file) ?? 0)
            return (first, a.element.line ?? 0, a.offset) < (second, b.element.line ?? 0, b.offset)
        }.map(\.element)
    }
}
