package import Basics
package import Foundation
package import Imaging
package import SpineDatasets

/// A dataset made by a recipe: labels that name the published photos (`photo`) and the places (`quad`) of their pictures.
package struct PhotoFetch: Sendable {
    /// The dataset; nil when no picture could be had.
    package private(set) var dataset: Dataset?
    /// Samples without their photo, with the reason, at their lines.
    package private(set) var gone: [Fault] = []

    /// Writes the dataset of a recipe, with the samples whose photos can be had, into a new folder.
    ///
    /// - Parameters:
    ///   - path: the recipe's folder, or the name of one that comes with the program.
    ///   - mirror: a folder with copies of photos, under any names; the others come from `server` by git.
    ///   - folder: the output, new or empty.
    ///   - server: address before a repository's name.
    /// - Throws: `DatasetError` for a faulty recipe, of which nothing is written, and for files that cannot be written.
    package init(
        _ path: String,
        mirror: String? = nil,
        into folder: URL,
        server: String = "https://github.com/"
    ) throws(DatasetError) {
        let recipe = DatasetLoader.folder(of: path)
        let samples = try Self.samples(of: recipe)
        var manifest = try DatasetManifest.read(from: recipe)
        let photos = try PhotoBlobs(samples.compactMap(\.record.photo), mirror: mirror, server: server)
        let file = "\(recipe)/\(Labels.samplesFile)"
        gone = samples.compactMap { sample in
            guard let photo = sample.record.photo, let problem = photos.problems[photo.blob] else { return nil }
            let message = "\(sample.record.id): \(photo.path) of \(photo.repository): \(problem)"
            return Fault(file: file, line: sample.line, message: message)
        }
        if gone.count == samples.count { return }
        if !gone.isEmpty {
            let rest = "without \(gone.count) of \(samples.count) spines, whose photos could not be had"
            manifest.description = manifest.description.map { "\($0) Here \(rest)." } ?? rest
        }
        var output = try DatasetOutput(folder, as: manifest)
        do throws(DatasetError) {
            var faults: [Fault] = []
            let lost = Set(gone.map(\.line))
            let texts = try DatasetOutput.lines(of: Labels.samplesFile, in: recipe)
            for (sample, text) in zip(samples, texts)
            where !lost.contains(sample.line) {
                do {
                    guard let photo = sample.record.photo else { continue }
                    let bytes = try photos.bytes(of: photo)
                    try output.write(Self.picture(of: sample.record, in: bytes), to: sample.record.image)
                    output.add(text, to: Labels.samplesFile)
                } catch {
                    let problem = "\(sample.record.id): \(error.systemReason)"
                    faults.append(Fault(file: file, line: sample.line, message: problem))
                }
            }
            guard faults.isEmpty else { throw .faults(path: path, faults) }
            if let card = FileManager.default.contents(atPath: "\(recipe)/CARD.md") {
                try output.write(Array(card), to: "CARD.md")
            }
            dataset = try output.finish()
        } catch {
            output.discard()
            throw error
        }
    }

    /// Returns the labels of a recipe, each with its photo.
    private static func samples(of recipe: String) throws(DatasetError) -> [Labels.Labelled<Sample>] {
        let labels = Labels(of: recipe, nil)
        var (faults, images) = (labels.faults, Set<String>())
        func check(_ isRight: Bool, _ line: Int?, _ problem: String) {
            if isRight { return }
            faults.append(Fault(file: "\(recipe)/\(Labels.samplesFile)", line: line, message: problem))
        }
        for (sample, line) in labels.samples.map({ ($0.record, $0.line) }) {
            let ending = URL(filePath: sample.image).pathExtension
            check(sample.photo != nil, line, "\"photo\" is missing, by which the picture would be found")
            check(["jpg", "png"].contains(ending), line, "\"image\" is \(sample.image); expected a file .jpg or .png")
            check(images.insert(sample.image).inserted, line, "\"image\" \(sample.image) is another spine's, too")
        }
        check(labels.shelves.isEmpty, nil, "\(Labels.shelvesFile): a recipe has spines only")
        guard faults.isEmpty else { throw .faults(path: recipe, faults) }
        return labels.samples
    }

    /// Returns the file of a sample's picture: the crop of its outline, or the photo without its metadata.
    private static func picture(of sample: Sample, in photo: [UInt8]) throws -> [UInt8] {
        let isPNG = sample.image.hasSuffix("png")
        guard let outline = sample.quad else {
            let format = try ImageCodec.header(of: photo, name: sample.id).format
            if format == (isPNG ? .png : .jpeg) { return try ImageCodec.withoutMetadata(photo, name: sample.id) }
            return try encoded(ImageCodec.decode(photo, name: sample.id).image, isPNG)
        }
        let image = try ImageCodec.decode(photo, name: sample.id).image
        guard let crop = image.straightened(outline) else {
            let size = "\(image.width) × \(image.height) pixels"
            throw DatasetError.operation(path: "quad", problem: "not convex, or outside the photo of \(size)")
        }
        return try encoded(crop, isPNG)
    }

    private static func encoded(_ image: RasterImage, _ isPNG: Bool) throws(ImageCodecError) -> [UInt8] {
        try isPNG ? ImageCodec.encodePNG(image) : ImageCodec.encodeJPEG(image, quality: 95)
    }
}

extension RasterImage {
    /// Returns the inside of an outline, straightened, at this picture's resolution; nil when it is outside or not convex.
    package func straightened(_ outline: Quad) -> RasterImage? {
        guard outline.corners.stray(outside: width, height) == nil else { return nil }
        let sides = [outline.length, outline.thickness].map { max(1, $0.rounded()) }
        return cropped(to: outline, width: Int(sides[0]), height: Int(sides[1]))
    }
}
