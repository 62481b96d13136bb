import Foundation
import SpineBenchKit
import TextRecognition
import VisionEngine
import XCTest

/// Measures a reader on the phone, over the dataset that is in the tests' bundle as a folder reference `spines-1`.
///
/// Run it on a device, in the configuration Release. The recording is attached to the result of the test.
final class MeasureSpines: XCTestCase {
    func testReadSpines() async throws {
        let dataset = try DatasetBundle(named: "spines-1", in: Bundle(for: Self.self))
        // In the app's documents: a run that was cut off continues.
        let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        let file = documents.appending(path: "spines-1.jsonl")
        let recorder = try Recorder(file: file, system: .init(name: "vision", version: "1"))
        let scanner = SpineScanner(reader: VisionSpineReader(usesLanguageCorrection: true))

        @Sendable func read(_ sample: DatasetBundle.Sample) throws -> Recorder.Answer {
            let bytes = [UInt8](try Data(contentsOf: dataset.url(of: sample)))
            let lines = try scanner.scan(bytes, name: sample.image).reading.lines
            return Recorder.Answer(lines: lines.map { .init($0.text, confidence: $0.confidence) })
        }

        // The system loads its models with the first reading, which is not measured.
        _ = try read(dataset.samples[0])
        for sample in dataset.samples {
            try await recorder.measure(sample.id, picture: dataset.url(of: sample)) { try read(sample) }
        }
        #if canImport(Darwin)
        let attachment = XCTAttachment(contentsOfFile: file)
        attachment.lifetime = .keepAlways
        add(attachment)
        #endif
    }
}
