package import Foundation
import ImageCodec
import Raster
import SpineDatasets

/// Writes a folder of labelled synthetic spines: `dataset.json`, `samples.jsonl`, `images/` and `CARD.md`.
package struct StarterDataset: Sendable {
    /// How many of each category there are, out of 78: enough of the first three that a score can decide about each.
    static let shares: [(category: SampleCategory, share: Int)] = [
        (.vertical, 24), (.inverted, 24), (.stylized, 24), (.horizontal, 4), (.mixed, 2),
    ]

    /// Titles and authors are not made smaller than this font size in pixels, so that a person can read them.
    private static let smallestLetters = 13.0

    private let designer: SpineDesigner
    private let renderer = SpineRenderer()
    private let typefaces: [Typeface]

    /// - Parameter typefaces: what to set text in.
    /// - Throws: `SynthesisError.noFonts` when there is none.
    package init(typefaces: [Typeface] = SpineDesigner.installedTypefaces()) throws(SynthesisError) {
        designer = try SpineDesigner(typefaces: typefaces)
        self.typefaces = typefaces
    }

    /// Writes the data set.
    ///
    /// The same seed, count, typefaces and libraries give the same bytes.
    ///
    /// - Parameters:
    ///   - folder: made when it does not exist; the data set is named after it.
    ///   - seed: decides everything that is left to chance.
    ///   - count: number of spines; the categories keep their shares of it.
    ///   - digest: asked, once the labels and pictures are in `folder`, for the `contentDigest` that `dataset.json` states;
    ///     nil leaves it out.
    ///   - progress: called after each spine with how many are done.
    /// - Throws: `SynthesisError.notEmpty` when `folder` has something in it, and whatever rendering, encoding or writing
    ///   throws.
    package func write(
        to folder: URL,
        seed: UInt64,
        count: Int,
        digest: (_ folder: URL) throws -> String? = { _ in nil },
        progress: (Int) -> Void = { _ in }
    ) throws {
        let files = FileManager.default
        let images = folder.appending(path: "images")
        if let entries = try? files.contentsOfDirectory(atPath: folder.path), !entries.isEmpty {
            throw SynthesisError.notEmpty(path: folder.path)
        }
        try files.createDirectory(at: images, withIntermediateDirectories: true)

        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var manifest = Data()
        var fonts: Set<String> = []
        let plans = Self.plans(seed: seed, count: count)
        for (index, plan) in plans.enumerated() {
            let (specification, spine) = try render(plan)
            let id = String(format: "synth-%03d", index + 1)
            let image = "images/\(id).jpg"
            let bytes = try ImageCodec.encodeJPEG(spine.image, quality: specification.camera.jpegQuality)
            try Data(bytes).write(to: folder.appending(path: image))
            let sample = Sample(id: id, image: image, plan: plan, spine: spine, seed: seed)
            manifest.append(try encoder.encode(sample))
            manifest.append(0x0A)
            fonts.formUnion(spine.lines.map(\.font))
            progress(index + 1)
        }
        try manifest.write(to: folder.appending(path: "samples.jsonl"))
        let card = DatasetCard(
            name: folder.standardizedFileURL.lastPathComponent,
            seed: seed,
            categories: Self.shares.map { share in
                (share.category, plans.count { $0.brief.category == share.category })
            },
            fonts: fonts.sorted(),
            contentDigest: try digest(folder)
        )
        encoder.outputFormatting.insert(.prettyPrinted)
        try (encoder.encode(card) + Data("\n".utf8)).write(to: folder.appending(path: "dataset.json"))
        try Data(card.text.utf8).write(to: folder.appending(path: "CARD.md"))
    }

    /// One spine to be made.
    struct Plan: Sendable, Equatable {
        var book: Book
        var brief: SpineBrief
        var seed: UInt64
        /// How large the spine is to be in the picture, as a share of its design; more when letters would get too small.
        var scale: Double
    }

    /// What to make: categories mixed evenly, every book once before any comes twice.
    static func plans(seed: UInt64, count: Int) -> [Plan] {
        var generator = SeededGenerator(seed: seed)
        var deck: [Book] = []
        var credit = [Int](repeating: 0, count: shares.count)
        var ordinals = credit
        return (0..<max(0, count)).map { _ in
            // Smooth weighted round robin: every prefix of the list has about the shares of the whole.
            for index in shares.indices { credit[index] += shares[index].share }
            let turn = shares.indices.max { credit[$0] < credit[$1] } ?? 0
            credit[turn] -= shares.reduce(0) { $0 + $1.share }
            let brief = SpineBrief(category: shares[turn].category, ordinal: ordinals[turn])
            ordinals[turn] += 1
            var place = deck.firstIndex(where: brief.suits)
            if place == nil {
                deck += generator.shuffled(Book.all)
                place = deck.firstIndex(where: brief.suits)
            }
            return Plan(
                book: deck.remove(at: place ?? 0),
                brief: brief,
                seed: generator.next(),
                // More than half of the spines are a detail of a photo of a whole shelf.
                scale: generator.chance(0.6) ? generator.number(in: 0.45...0.8) : 1
            )
        }
    }

    /// Renders a plan; a typeface that cannot write the text is left out and the spine designed again without it.
    private func render(_ plan: Plan) throws -> (SpineSpecification, RenderedSpine) {
        var designer = designer
        var remaining = typefaces
        while true {
            let design = designer.design(plan.book, brief: plan.brief, seed: plan.seed)
            let smallest = design.smallestLetters ?? Self.smallestLetters
            let specification = design.scaled(by: max(plan.scale, Self.smallestLetters / smallest))
            do {
                return (specification, try renderer.render(specification))
            } catch {
                guard case .missingGlyphs(let family, _) = error else { throw error }
                remaining.removeAll { $0.family == family }
                guard !remaining.isEmpty else { throw error }
                designer = try SpineDesigner(typefaces: remaining)
            }
        }
    }
}
