import Basics
package import BookCatalogue
import Evaluation
import Foundation
import Harness
import ScanningPipeline
import ScanningPolicies
package import SpineReaders
import Synchronization
import TextRecognition
package import VisualSearch

/// Visual search as the harness measures it: a gesture, which the system turns into several equal questions.
///
/// The first question is the reading that is timed; the others follow when the harness's clock has stopped, and are
/// timed by the query's own.
final class VisualSearchSystem: SystemUnderTest {
    /// Number of equal questions of one gesture: on devices, five or six within two seconds.
    static let questionsOfGesture = 6

    private let query: ContentQuery
    /// The gesture that is being answered.
    private let last = Mutex<(descriptor: ContentDescriptor, readings: Int)?>(nil)

    init(query: ContentQuery) { self.query = query }

    func process(_ bytes: [UInt8], name: String, reached: @escaping MilestoneHandler) throws -> Prediction {
        let query = query
        // Input in the system's form: general words, and the picture.
        let descriptor = ContentDescriptor(labels: ["book"], picture: .file(bytes))
        let (page, before) = try BlockingTask.run {
            let before = await query.readings
            return (try await query.page(for: descriptor), before)
        }
        for milestone in [Milestone.text, .enriched] { reached(milestone) }
        last.withLock { $0 = (descriptor, before) }
        return Prediction(page)
    }

    func conclude(_ prediction: inout Prediction) throws {
        guard let (descriptor, before) = last.withLock({ $0 }) else { return }
        let query = query
        let (times, readings) = try BlockingTask.run {
            var times: [Double] = []
            for _ in 1..<Self.questionsOfGesture {
                times.append(try await query.page(for: descriptor).time.milliseconds)
            }
            return (times, await query.readings - before)
        }
        prediction.gesture = Prediction.Gesture(readings: readings, repeatMilliseconds: times)
    }
}

extension Prediction {
    init(_ page: ResultPage) {
        let (reading, times) = (page.reading, page.reading?.times)
        self.init(
            lines: (reading?.lines ?? []).map(Line.init),
            // On a shelf, each spine has its own.
            orientation: reading?.kind == .shelf ? nil : reading?.spines.first?.place.orientation?.rawValue,
            stages: [
                .decode: times?.decoding.milliseconds, .reading: times?.reading.total.milliseconds,
                .detectionInference: times?.reading.detectionInference.milliseconds,
                .recognitionInference: times?.reading.recognitionInference.milliseconds,
                .matching: times?.matching.milliseconds,
            ]
        )
        let books = page.results.compactMap { result -> BookCandidate? in
            guard case .book(let book) = result else { return nil }
            return BookCandidate(
                title: book.title,
                authors: book.authors,
                isbn: book.isbn,
                confidence: book.confidence
            )
        }
        (self.books, answer) = (books, books.first)
    }
}

extension ScanSettings {
    /// Loads a visual search.
    func visualSearchSystem() throws -> WorkerLoop.Loaded {
        let loaded = try (reader == .fast ? ReadingSettings.fast : .accurate).load()
        let search = try EntitySearch(loaded, catalogue: .named(catalogue), readings: readings, library: nil)
        var settings = ContentQuery.Settings()
        // A run's own limit ends late readings.
        settings.deadline = nil
        var description = loaded.description
        description["strategy"] = strategy.rawValue
        return WorkerLoop.Loaded(
            system: VisualSearchSystem(query: ContentQuery(search, settings: settings)),
            description: description,
            prepare: loaded.prepare
        )
    }
}

extension EntitySearch {
    /// Creates a visual search put together from a loaded reader and a catalogue.
    package init(_ loaded: LoadedReader, catalogue: BookCatalogue, readings: Int = 1, library: LibraryStore?) throws {
        self.init(try loaded.pipeline(catalogue, readings: readings), catalogue: catalogue, library: library)
    }
}
