import Imaging
import SpineDatasets

struct SpineLabeller {
    let options: ImportOptions
    private(set) var notes: [ImportNote: Int] = [:]

    /// Returns the labels of a single spine, its shapes in the pixels of the upright picture.
    mutating func sample(_ spine: PlacedLabels.Spine, id: String, picture: PictureIntake.Picture) -> Sample {
        let stated = spine.stated
        let orientation = orientation(of: spine) ?? guessedOrientation(of: spine, in: picture.header.size)
        let text = text(of: spine)
        var sample = Sample(
            id: id,
            image: picture.path,
            category: category(of: spine, orientation) ?? .vertical,
            title: text.title,
            author: text.author,
            transcription: text.transcription ?? "",
            orientation: orientation,
            group: stated[.group],
            legible: text.legible
        )
        (sample.isbn, sample.language, sample.style) = (stated[.isbn], stated[.language], stated[.style])
        (sample.split, sample.source, sample.licence) = (stated[.split], stated[.source], stated[.licence])
        (sample.outline, sample.lines) = (spine.outline?.corners, lines(of: spine, orientation))
        return sample
    }

    /// Returns the labels of one spine on a shelf, of which nothing is guessed that may be left open.
    mutating func book(_ spine: PlacedLabels.Spine) -> ShelfBook {
        let stated = spine.stated
        let orientation = orientation(of: spine)
        let text = text(of: spine)
        var book = ShelfBook(title: text.title, quad: spine.outline?.corners, legible: text.legible)
        (book.id, book.author, book.transcription) = (stated[.id], text.author, text.transcription)
        (book.category, book.orientation) = (category(of: spine, orientation), orientation)
        (book.language, book.style, book.lines) = (stated[.language], stated[.style], lines(of: spine, orientation))
        return book
    }

    private mutating func count(_ note: ImportNote, _ number: Int = 1) { notes[note, default: 0] += number }

    /// Returns the orientation from the source, the corners of the lines, or the caller's default; nil without any.
    private mutating func orientation(of spine: PlacedLabels.Spine) -> SampleOrientation? {
        if let stated = spine.stated.orientation { return stated }
        var lengths: [SampleOrientation: Double] = [:]
        for line in spine.lines ?? [] where line.isTrustworthy {
            lengths[line.corners.direction, default: 0] += line.corners.length
        }
        if lengths.isEmpty, let outline = spine.outline, outline.isAlongText {
            lengths[outline.corners.direction] = outline.corners.length
        }
        // The order of the cases makes the result deterministic for equal lengths.
        let longest = SampleOrientation.allCases.compactMap { orientation in
            lengths[orientation].map { (orientation, $0) }
        }.max { $0.1 < $1.1 }
        if let longest {
            count(.orientationFromLines)
            return longest.0
        }
        if options.orientation != nil { count(.orientationFromDefault) }
        return options.orientation
    }

    /// Returns the orientation by the shape of the lines, or of the picture without lines.
    private mutating func guessedOrientation(of spine: PlacedLabels.Spine, in size: PixelSize) -> SampleOrientation {
        count(.orientationGuessed)
        var (tall, wide) = (0.0, 0.0)
        for line in spine.lines ?? [] {
            let (width, height) = line.corners.extent
            if height > width { tall += height } else { wide += width }
        }
        if tall == wide { (tall, wide) = (Double(size.height), Double(size.width)) }
        return tall > wide ? .clockwise : .upright
    }

    private mutating func category(of spine: PlacedLabels.Spine, _ orientation: SampleOrientation?) -> SampleCategory? {
        if let stated = spine.stated.category { return stated }
        if let category = options.category {
            count(.categoryFromDefault)
            return category
        }
        guard let orientation else { return nil }
        count(.categoryDerived)
        return switch orientation {
        case .inverted: .inverted
        case .upright: .horizontal
        case .clockwise, .counterclockwise: .vertical
        }
    }

    private mutating func text(
        of spine: PlacedLabels.Spine
    ) -> (title: String?, author: String?, transcription: String?, legible: Bool) {
        let stated = spine.stated
        let lines = spine.lines ?? []
        let texts = lines.compactMap(\.text)
        count(.unreadableLine, lines.count - texts.count)
        func joined(_ role: LineRole) -> String? {
            let parts = lines.filter { $0.role == role }.compactMap(\.text)
            return parts.isEmpty ? nil : parts.joined(separator: " ")
        }
        var title = stated[.title]
        if title == nil, let joined = joined(.title) {
            count(.titleFromRoles)
            title = joined
        }
        var longest: String?
        for text in texts where text.count > longest?.count ?? 0 { longest = text }
        if title == nil, options.takesLongestLineForTitle, let longest {
            count(.titleFromLongestLine)
            title = longest
        }
        let author = stated[.author] ?? joined(.author)
        var transcription = stated[.transcription] ?? (texts.isEmpty ? nil : texts.joined(separator: " "))
        if transcription == nil, title != nil || author != nil {
            count(.transcriptionFromTitle)
            transcription = [title, author].compactMap { $0 }.joined(separator: " ")
        }
        // Lines that are marked as illegible count; missing lines do not.
        if stated.legible == nil, transcription == nil, lines.isEmpty { count(.notLegible) }
        return (title, author, transcription, stated.legible ?? (transcription != nil))
    }

    /// Returns the lines that have a text, begun at the corner where a reader begins.
    private func lines(of spine: PlacedLabels.Spine, _ orientation: SampleOrientation?) -> [LabelledLine]? {
        spine.lines?.compactMap { line in
            guard let text = line.text else { return nil }
            var quad = line.corners
            if !line.isTrustworthy {
                let (width, height) = quad.extent
                let isAlong = (height > width) == (orientation == .clockwise || orientation == .counterclockwise)
                // A line across the others, as a volume's number is, reads like any text of its shape.
                quad = quad.begun(for: isAlong ? orientation ?? .upright : height > width ? .clockwise : .upright)
            }
            return LabelledLine(text: text, role: line.role, quad: quad)
        }
    }
}

extension LabelRecord.Region {
    /// Whether text that begins at the first corner runs along the longer side.
    fileprivate var isAlongText: Bool { isOrdered && corners.length >= corners.thickness }

    /// Whether a reader begins at the first corner.
    ///
    /// Many tools order corners by their place in the picture: text of some length then runs along its box's short
    /// side.
    fileprivate var isTrustworthy: Bool { isOrdered && text.map { isAlongText || $0.count <= 2 } ?? false }
}

extension Quad {
    /// Width and height of the upright box around the quad.
    fileprivate var extent: (width: Double, height: Double) {
        let (x, y) = (corners.map(\.x), corners.map(\.y))
        return ((x.max() ?? 0) - (x.min() ?? 0), (y.max() ?? 0) - (y.min() ?? 0))
    }
}
