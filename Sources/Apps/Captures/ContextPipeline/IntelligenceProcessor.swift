package import CaptureReading
import Foundation
package import Imaging
import ScanningPipeline
package import TextRecognition
package import VisualSearch

/// Reader of one picture: codes, text and books.
///
/// Files and frames go the same way.
package struct IntelligenceProcessor: Sendable {
    /// Part of a picture that is processed.
    package enum Mode: String, Sendable, Codable, CaseIterable {
        /// Codes alone, as while a camera is pointed at things.
        case live
        case full
    }

    /// Search that reads text and names books; nil without an engine: then codes alone are found.
    package var search: EntitySearch?

    package init(search: EntitySearch?) { self.search = search }

    package func process(_ image: RasterImage, mode: Mode) throws -> SceneReading {
        let clock = ContinuousClock()
        var scene = SceneReading(width: image.width, height: image.height)
        var start = clock.now
        scene.codes = CodeFinder.codes(in: image)
        scene.times.codes = start.duration(to: clock.now)
        guard mode == .full else { return scene }
        if let search { try read(image, search, into: &scene) }
        // Each book of a shelf is a subject.
        guard scene.books.count < 2 else { return scene }
        start = clock.now
        let page = PageFinder.page(in: image)
        scene.rectified = page?.rectified(image)
        let small = image.fitted(to: Self.cutOutSide)
        scene.subject = SubjectSifter.subject(of: small)
        if scene.subject == nil, let page, page.holds(mostOf: scene.lines.map(\.quad)) {
            // One that reaches the border has its colours there, as its ground has.
            let scale = Double(small.width) / Double(image.width)
            scene.subject = page.subject(scale: scale, width: small.width, height: small.height)
        }
        scene.cutOut = try scene.subject?.cutOut(of: small)
        scene.times.sifting = start.duration(to: clock.now)
        return scene
    }

    /// Pixels of the long side at which a subject is cut out.
    static let cutOutSide = 1_024

    private func read(_ image: RasterImage, _ search: EntitySearch, into scene: inout SceneReading) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let found = try search.find(ContentDescriptor(labels: [], picture: .pixels(image))).found
        scene.times.reading = start.duration(to: clock.now)
        scene.times.inside = found.reading?.reading ?? StageTimings()
        scene.lines = found.reading?.lines ?? []
        // An author's other works are not needed here: the books are visible ones, not a catalogue's.
        scene.books = found.results.compactMap { result in
            guard case .book(let book) = result, book.place != nil else { return nil }
            return book
        }
    }
}

package struct SceneReading: Sendable {
    package var width: Int
    package var height: Int
    /// Codes, from the top left on.
    package var codes: [FoundCode] = []
    /// Text in reading order.
    package var lines: [RecognizedLine] = []
    /// Books that were seen and named, in their order.
    package var books: [BookEntity] = []
    /// A page, cover or card, from straight above; nil for none.
    package var rectified: RasterImage?
    /// Foreground subject, on a reduced copy of the picture; nil when there is none.
    package var subject: SiftedSubject?
    /// The subject without its background: a PNG file with alpha; nil when there is none.
    var cutOut: [UInt8]?
    package var times = Times()

    /// Times of processing a picture, by the processor's clock.
    package struct Times: Sendable, Equatable {
        package var codes = Duration.zero
        package var reading = Duration.zero
        package var inside = StageTimings()
        package var sifting = Duration.zero
    }

    /// Transcription: the text of lines with enough confidence.
    package var transcription: String {
        lines.filter { ($0.probability ?? $0.confidence) >= Self.leastConfidence }.map(\.text).joined(separator: "\n")
    }

    /// Lines below this confidence are noise more often than text.
    static let leastConfidence = 0.3
}

/// Label of a picture's content from a small vocabulary; unknown without evidence.
package enum SceneLabel: String, Sendable, Codable, CaseIterable {
    case bookshelf
    case book
    case code
    case page
    case text
    case unknown

    /// Creates the label by the evidence.
    ///
    /// Named books take precedence over codes, and codes over text: a picture as narrow as a spine with its text
    /// along it shows a book without a match; a page has at least twelve lines, most of them upright and of one
    /// direction; fewer lines are text of any kind.
    init(_ scene: SceneReading) {
        if scene.books.count > 1 {
            self = .bookshelf
        } else if scene.books.count == 1 {
            self = .book
        } else if !scene.codes.isEmpty {
            self = .code
        } else {
            let lines = scene.lines.filter { ($0.probability ?? $0.confidence) >= SceneReading.leastConfidence }
            let upright = lines.filter { $0.quad.isUpright }
            let isTall = scene.height > scene.width
            let along = lines.filter { isTall ? $0.quad.isSideways : $0.quad.isUpright }
            let isNarrow = max(scene.width, scene.height) * 2 >= min(scene.width, scene.height) * Self.narrow
            if isNarrow, along.letterCount >= 4, along.letterCount * 2 > lines.letterCount {
                self = .book
            } else if upright.count >= 12, upright.count * 4 >= lines.count * 3 {
                self = .page
            } else {
                self = lines.contains { $0.text.count > 2 } ? .text : .unknown
            }
        }
    }

    /// Twice the least ratio of a spine's sides: 2.5, which a page (1.4) and a receipt with its text across do not
    /// show.
    private static let narrow = 5
}

extension Quad {
    /// Whether text along it runs up or down, within an eighth of a half turn.
    fileprivate var isSideways: Bool {
        abs(abs(atan2(topRight.y - topLeft.y, topRight.x - topLeft.x)) - .pi / 2) < .pi / 8
    }

    /// Whether text along it runs from left to right, within an eighth of a half turn.
    fileprivate var isUpright: Bool { abs(atan2(topRight.y - topLeft.y, topRight.x - topLeft.x)) < .pi / 8 }
}

/// Detector of new codes in a camera's frames: one that stays in sight is captured once.
///
/// Source of the time: the original pipeline, which takes no second picture of a QR code within two seconds.
package struct LiveCodes: Sendable {
    /// A code that is seen again within this time of when it was seen last is the same.
    static let pause = Duration.seconds(2)
    /// Time of the last sight of each content.
    private var seen: [String: Duration] = [:]

    package init() {}

    /// Returns the codes of a frame that are new, and notes that all of them were seen.
    package mutating func new(among codes: [FoundCode], at time: Duration) -> [FoundCode] {
        seen = seen.filter { time - $0.value < Self.pause }
        return codes.filter { seen.updateValue(time, forKey: $0.payload) == nil }
    }
}
