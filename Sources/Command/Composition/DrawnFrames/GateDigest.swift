import Basics
package import ScanningPipeline
import SpineDatasets

/// A digest that identifies a presence gate: a measurement holds for the measured gate alone.
package enum GateDigest {
    /// Returns the SHA-256 of the weights, the threshold, and the gate's evidence on some drawn frames, to
    /// thousandths: a change of the code that examines frames changes it as one of the weights does.
    package static func digest(
        of gate: PresenceGate,
        weights: [Double] = GateModel.weights,
        bias: Double = GateModel.bias
    ) -> String {
        let frame = FrameSize(width: 540, height: 720)
        var lines = [weights.map { "\($0)" }.joined(separator: " "), "\(bias)", "\(gate.threshold)"]
        lines += GateEvidence.names
        for (number, place) in SceneMaker.Place.allCases.enumerated() {
            var maker = SceneMaker(frame: frame, seed: UInt64(number))
            let picture = maker.drawn(place, width: 1, height: 1)
            let features = GateEvidence(of: picture).features
            lines.append(features.map { "\(Int((Double($0) * 1_000).rounded()))" }.joined(separator: " "))
        }
        return "sha256:" + SHA256.hex(of: Array(lines.joined(separator: "\n").utf8))
    }
}
