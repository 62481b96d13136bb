import Basics
import Foundation
import Imaging
import SpineDatasets
import TestSupport
import Testing

@testable import Evaluation

@Suite(.tags(.unit)) struct WorkTests {
    @Test func imagesAreCountedOnWhateverThread() throws {
        let image = RasterImage(width: 40, height: 30, channels: 3)
        let file = try ImageCodec.encodePNG(image)
        let part = Quad(left: 4, top: 4, right: 12, bottom: 8)
        let (sizes, counts) = WorkMeter.counting {
            concurrentMap(3) { _ in
                let decoded = try? ImageCodec.decode(file, name: "a.png").image
                return [decoded?.resized(width: 20, height: 10), decoded?.cropped(to: part, width: 16, height: 8)]
            }
        }
        #expect(sizes.allSatisfy { $0.compactMap(\.self).count == 2 })
        #expect(counts[.bytesDecoded] == Double(3 * file.count) && counts[.pixelsDecoded] == 3 * 1_200)
        #expect(counts[.pixelsScaled] == 3 * 200 && counts[.pixelsWarped] == 3 * 128)
        // What was not done is counted as 0, and nothing is counted outside.
        #expect(counts[.requestsSent] == 0 && counts.numbers.count == Work.allCases.count)
        #expect(WorkMeter.current == nil)
    }

    @Test func countsOfNetworksAreAddedUp() throws {
        let json =
            #"{"detectionCalls:a": 2, "detectionCalls:b": 3, "detectionCalls": 0, "ofTomorrow": 9, "linesAgain": 1}"#
        let counts = try JSONDecoder().decode(WorkCounts.self, from: Data(json.utf8))
        #expect(counts[.detectionCalls] == 5 && counts[.linesAgain] == 1 && counts[.rowsRead] == nil)
        #expect(counts.of([.detectionCalls]).count == 3)
        #expect(try JSONDecoder().decode(WorkCounts.self, from: JSONEncoder().encode(counts)) == counts)
    }

    @Test(arguments: [#"{"rowsRead": -1}"#, #"{"rowsRead": 9007199254740993}"#, #"{"rowsRead": 1.5}"#])
    func aDamagedRecordIsNone(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(WorkCounts.self, from: Data(json.utf8)) }
    }

    @Test func figuresAreMeansOfTheReadingsThatCount() throws {
        var fold = FigureFold()
        for (number, lines) in [4, 6, nil].enumerated() {
            var record = SampleRecord(measurement: "fast", repetition: 1, position: number, id: "s\(number)")
            record.prediction = Prediction(lines: [])
            record.prediction?.work = lines.map { WorkCounts([.init(.linesRecognised): $0]) }
            fold.add(Reading(.made(record.id, title: "Dune"), record))
        }
        let values = fold.figures().values
        let metric = try #require(Metric.named("work-lines-recognised"))
        #expect(values[metric]?.value == .value(5))
        #expect(values[try #require(Metric.named("work-rows-read"))]?.value == .absent("not counted"))
        // A run of another version has no such figures.
        #expect(!FigureFold().figures().values.keys.contains { $0.family == .work })
    }
}
