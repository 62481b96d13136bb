import Basics
import Foundation

@testable import CaptureReading

/// Traces that a model of moving bodies makes: sums of sinusoids along the vertical and a horizontal axis, gravity,
/// noise, and a device that is turned at random.
///
/// The model's ranges are this project's own: results on it do not apply to real people.
struct MadeTraces {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(state: seed) }

    mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + random.nextDouble() * (range.upperBound - range.lowerBound)
    }

    /// Returns a normal value (Box and Muller).
    mutating func normal() -> Double {
        (-2 * log(max(random.nextDouble(), 1e-300))).squareRoot() * cos(2 * .pi * random.nextDouble())
    }

    /// A part of a motion: hertz, amplitude in g, phase.
    private typealias Wave = (frequency: Double, amplitude: Double, phase: Double)

    private mutating func wave(_ frequency: Double, _ amplitude: Double) -> Wave {
        (frequency, amplitude, uniform(0...2 * .pi))
    }

    /// Returns a trace of an activity.
    mutating func trace(_ activity: ActivityClassifier.Activity, seconds: Double = 20) -> [MotionTrace.Sample] {
        var vertical: [Wave] = []
        var sideways: [Wave] = []
        var noise = uniform(0.003...0.01)
        switch activity {
        case .stationary: sideways = [wave(uniform(8...12), uniform(0...0.008))]
        case .walking:
            let (steps, amplitude) = (uniform(1.5...2.25), uniform(0.1...0.4))
            vertical = [
                wave(steps, amplitude), wave(2 * steps, amplitude * uniform(0.2...0.8)),
                wave(3 * steps, amplitude * uniform(0.05...0.3)), wave(steps / 2, amplitude * uniform(0...0.3)),
            ]
            sideways = [wave(steps / 2, amplitude * uniform(0.2...0.5))]
            noise = uniform(0.01...0.04)
        case .running:
            let (steps, amplitude) = (uniform(2.45...3.2), uniform(0.75...1.4))
            vertical = [wave(steps, amplitude), wave(2 * steps, amplitude * uniform(0.1...0.4))]
            sideways = [wave(steps / 2, amplitude * uniform(0.1...0.3))]
            noise = uniform(0.03...0.08)
        case .cycling:
            vertical = [wave(uniform(0.85...1.35), uniform(0.06...0.2))]
            sideways = [wave(vertical[0].frequency, uniform(0.02...0.08))]
            noise = uniform(0.06...0.12)
        case .automotive, .unknown:
            // Shaken by hand without any rhythm.
            noise = uniform(0.1...0.4)
        }
        let (rate, gravity, turn) = (uniform(25...100), 1.0, rotation())
        var (samples, time): ([MotionTrace.Sample], Double) = ([], uniform(0...1_000))
        let start = time
        while time - start < seconds {
            func sum(_ waves: [Wave]) -> Double {
                waves.reduce(0) { $0 + $1.amplitude * sin(2 * .pi * $1.frequency * time + $1.phase) }
            }
            let body = [sum(sideways) + noise * normal(), noise * normal(), gravity + sum(vertical) + noise * normal()]
            let device = turn.map { row in zip(row, body).reduce(0) { $0 + $1.0 * $1.1 } }
            samples.append(MotionTrace.Sample(time: time, x: device[0], y: device[1], z: device[2]))
            time += (1 + uniform(-0.1...0.1)) / rate
        }
        return samples
    }

    /// Returns a rotation at random, by a unit quaternion (Shoemake 1992).
    private mutating func rotation() -> [[Double]] {
        var (w, x, y, z) = (normal(), normal(), normal(), normal())
        let length = (w * w + x * x + y * y + z * z).squareRoot()
        (w, x, y, z) = (w / length, x / length, y / length, z / length)
        return [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    }

    /// Returns a trace as a file.
    static func csv(_ samples: [MotionTrace.Sample], inMetres: Bool = false) -> [UInt8] {
        let unit = inMetres ? MotionTrace.gravity : 1
        let header = inMetres ? "time (s),x (m/s²),y (m/s²),z (m/s²)" : "time_s,x_g,y_g,z_g"
        let lines = samples.map { "\($0.time),\($0.x * unit),\($0.y * unit),\($0.z * unit)" }
        return Array(([header] + lines).joined(separator: "\n").utf8)
    }
}
