import Basics
import Foundation
import Harness
import ScanningPipeline
import TestSupport
import Testing

@testable import Composition

@Suite struct GateDigestTests {
    /// Fails when the gate is changed: its measured rates are then of another gate, and nothing may be simulated by them.
    @Test func theCommittedMeasurementIsOfThisGate() {
        #expect(GateMeasurement.committed.gate == GateDigest.digest(of: PresenceGate()))
    }

    @Test func anotherThresholdOrWeightIsAnotherGate() {
        let digest = GateDigest.digest(of: PresenceGate())
        #expect(GateDigest.digest(of: PresenceGate()) == digest)
        #expect(GateDigest.digest(of: PresenceGate(threshold: 0.41)) != digest)
        var weights = GateModel.weights
        weights[3] += 0.001
        #expect(GateDigest.digest(of: PresenceGate(), weights: weights) != digest)
        #expect(GateDigest.digest(of: PresenceGate(), bias: GateModel.bias + 0.001) != digest)
    }

    /// The pictures of the project that were measured on are those that are there: SHA-256 of their names and contents, in
    /// the order of their names.
    @Test(arguments: [("spines-1", "samples.jsonl"), ("shelves-1", "shelves.jsonl")])
    func theCommittedMeasurementIsOfTheseDatasets(name: String, labels: String) throws {
        struct Label: Decodable {
            var image: String
            var legible: Bool?
        }
        let folder = Project.folder.appending(path: "Datasets/\(name)")
        let images = try String(contentsOf: folder.appending(path: labels), encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(Label.self, from: Data($0.utf8)) }
            .filter { $0.legible ?? true }.map(\.image).sorted()
        let lines = try images.map { "\(try SHA256.hex(ofFile: folder.appending(path: $0).path))  \($0)\n" }
        let source = try #require(GateMeasurement.committed.sources.first { $0.name == name })
        #expect(source.digest == "sha256:" + SHA256.hex(of: Array(lines.joined().utf8)))
        #expect(source.pictures == images.count)
    }

    @Test func theCommittedMeasurementIsOfEnoughFramesAndScenes() {
        let measurement = GateMeasurement.committed
        let (hits, alarms) = (measurement.all.withSpine, measurement.all.without)
        #expect(hits.passed.trials + alarms.passed.trials >= 2_000)
        #expect(hits.scenes >= 20 && alarms.scenes >= 20)
        #expect(hits.passed.basis == .groups && alarms.passed.basis == .groups)
        #expect(measurement.rates != nil)
    }
}
