import Basics
import DeviceSimulation
import Foundation
import ScanningPipeline
import Testing

@testable import Composition
@testable import checks

@Suite struct GateDigestTests {
    /// Fails when the gate is changed: measure it again with `checks gate --out
    /// Sources/Bench/DeviceSimulation/Resources/gate.json`.
    @Test func theCommittedMeasurementIsOfThisGate() throws {
        #expect(try GateMeasurement.committed().gate == GateDigest.digest(of: PresenceGate()))
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

    /// The pictures of the project that were measured on are those that are there.
    @Test func theCommittedMeasurementIsOfTheseDatasets() throws {
        let datasets = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Datasets")
            .standardizedFileURL.path
        let own: [(name: String, content: PictureFolder.Content)] = [
            ("spines-1", .spines), ("shelves-1", .shelves(areComplete: true)),
        ]
        let sources = try GateMeasurement.committed().sources
        for (name, content) in own {
            let folder = try PictureFolder("\(datasets)/\(name)", content)
            let source = try #require(sources.first { $0.name == name })
            #expect(source.digest == folder.digest && source.pictures == folder.count)
        }
    }

    @Test func theCommittedMeasurementIsOfEnoughFramesAndScenes() throws {
        let measurement = try GateMeasurement.committed()
        let (hits, alarms) = (measurement.all.withSpine, measurement.all.without)
        #expect(hits.passed.trials + alarms.passed.trials >= 2_000)
        #expect(hits.scenes >= 20 && alarms.scenes >= 20)
        #expect(hits.passed.basis == .groups && alarms.passed.basis == .groups)
        #expect(measurement.rates != nil)
    }
}
