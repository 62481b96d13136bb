package import Basics
import Foundation

/// What the presence gate was found to do on frames with a known truth, on 22 November 2026.
package struct GateMeasurement: Sendable, Equatable, Codable {
    /// A rate of frames that pass, and of how many scenes they are.
    package struct Rate: Sendable, Equatable, Codable {
        /// Frames of one scene count as a cluster.
        package var passed: RateEstimate
        package var scenes: Int

        package init(_ frames: [(isPassed: Bool, scene: String)]) {
            passed = RateEstimate(frames.map(\.isPassed), groups: frames.map(\.scene))
            scenes = Set(frames.map(\.scene)).count
        }
    }

    package struct Kind: Sendable, Equatable, Codable {
        package var name: String
        package var clips: Int
        package var withSpine: Rate
        package var without: Rate
        /// Frames with only a part of a spine: neither.
        package var parts: Int
        /// Frames of photographs in which no labelled spine is in view: neither.
        package var unknown: Int

        package init(_ name: String, _ clips: [GateClip]) {
            func frames(_ truth: GateClip.Truth) -> [(isPassed: Bool, scene: String)] {
                clips.flatMap { clip in clip.frames.filter { $0.truth == truth }.map { ($0.isPassed, clip.scene) } }
            }
            self.name = name
            self.clips = clips.count
            withSpine = Rate(frames(.spine))
            without = Rate(frames(.none))
            parts = frames(.part).count
            unknown = frames(.unknown).count
        }
    }

    /// A folder of pictures that frames were made from.
    package struct Source: Sendable, Equatable, Codable {
        package var name: String
        package var pictures: Int
        /// SHA-256 of their names and contents.
        package var digest: String

        package init(name: String, pictures: Int, digest: String) {
            (self.name, self.pictures, self.digest) = (name, pictures, digest)
        }
    }

    /// Processor time of looking at a frame, and of the work that hosts are compared by, on one thread of one machine.
    package struct Time: Sendable, Equatable, Codable {
        /// Processor, cores, memory and system.
        package var host: String
        package var frames: Int
        /// In ms, by the thread's own clock.
        package var p50: Double
        package var p95: Double
        /// ``HostCalibration/image`` there, by the same clock.
        package var image: HostCalibration.Timing

        /// `milliseconds` for each frame; at least one.
        package init(host: String, milliseconds: [Double], image: HostCalibration.Timing) {
            let sorted = milliseconds.sorted()
            self.host = host
            frames = sorted.count
            p50 = Percentile.nearestRank(50, of: sorted)
            p95 = Percentile.nearestRank(95, of: sorted)
            self.image = image
        }
    }

    package var format = 1
    /// Digest of this gate: a measurement of another one does not hold.
    package var gate: String
    /// Data that the gate's weights were fitted on, as far as they are known.
    package var fittedOn: String
    /// Year, month and day.
    package var date: String
    package var seed: UInt64
    /// Sequences of each kind that has more to choose from.
    package var clips: Int
    package var sources: [Source]
    package var all: Kind
    package var kinds: [Kind]
    /// All frames, by how the camera was held.
    package var conditions: [GateClip.Condition: Kind]
    package var time: Time

    package init(
        gate: String,
        fittedOn: String,
        date: String,
        seed: UInt64,
        clipsOfEach: Int,
        sources: [Source],
        clips: [GateClip],
        time: Time
    ) {
        (self.gate, self.fittedOn, self.date, self.seed) = (gate, fittedOn, date, seed)
        self.clips = clipsOfEach
        self.sources = sources
        self.time = time
        all = Kind("all", clips)
        kinds = Dictionary(grouping: clips, by: \.kind).sorted { $0.key < $1.key }.map { Kind($0.key, $0.value) }
        conditions = GateClip.Condition.allCases.reduce(into: [:]) { conditions, condition in
            let held = clips.map { clip in
                var clip = clip
                clip.frames = clip.frames.filter { $0.condition == condition }
                return clip
            }
            conditions[condition] = Kind(condition.rawValue, held.filter { !$0.frames.isEmpty })
        }
    }

    /// The measurement that comes with the program.
    ///
    /// - Throws: ``DeviceError/unreadable(path:reason:)`` when it is broken.
    package static func committed() throws(DeviceError) -> GateMeasurement {
        do {
            return try JSONDecoder().decode(GateMeasurement.self, from: Data(PackageResources.gate_json))
        } catch {
            throw .unreadable(path: "gate.json", reason: "\(error); restore it from the repository")
        }
    }

    /// Rates that sessions are simulated with, and the time on an A15's CPU, with their intervals; nil if unknown.
    package var rates: SessionPlan.GateRates? {
        let (hits, alarms) = (all.withSpine.passed, all.without.passed)
        guard let truePositive = hits.rate.value, let falsePositive = alarms.rate.value,
            let hitRange = hits.interval.value, let alarmRange = alarms.interval.value,
            let image = A15Reference.figures[.image]
        else { return nil }
        func seconds(_ image: Double, _ host: Double) -> Double { time.p50 * image / host / 1_000 }
        return SessionPlan.GateRates(
            truePositive: truePositive,
            falsePositive: falsePositive,
            seconds: seconds(image.value, time.image.milliseconds),
            range: SessionPlan.GateRates.Range(
                truePositive: hitRange,
                falsePositive: alarmRange,
                seconds: seconds(image.low, time.image.high)...seconds(image.high, time.image.low)
            )
        )
    }
}

/// Clip of the presence gate: its word on the frames of one panning sequence, whose truth is known.
package struct GateClip: Sendable, Equatable {
    package enum Truth: Sendable, Equatable {
        /// A spine, nearly whole.
        case spine
        case none
        /// A smaller part of a spine: counted, and neither a hit nor a false alarm.
        case part
        /// No labelled spine, in a photograph whose books are not all labelled: counted, and neither.
        case unknown
    }

    package enum Condition: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
        case still
        /// So fast that the exposure smears eight pixels of 1440 or more.
        case moving
        /// The lens's blur has a radius of three pixels of 1440 or more.
        case outOfFocus
    }

    package struct Frame: Sendable, Equatable {
        package var truth: Truth
        package var condition: Condition
        package var isPassed: Bool

        package init(_ truth: Truth, _ condition: Condition = .still, isPassed: Bool) {
            (self.truth, self.condition, self.isPassed) = (truth, condition, isPassed)
        }
    }

    /// Subject that was panned over: "one spine held, drawn".
    package var kind: String
    /// The photograph or the drawn scene; frames of one are alike.
    package var scene: String
    /// Thirty a second.
    package var frames: [Frame]

    package init(kind: String, scene: String, frames: [Frame]) {
        (self.kind, self.scene, self.frames) = (kind, scene, frames)
    }

    package static let framesPerSecond = 30
}
