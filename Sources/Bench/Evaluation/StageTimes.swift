/// Stage of a reading, and the device's activity during it.
package struct Stage: Sendable, Hashable, Codable {
    /// Activity of the device during a stage.
    package enum Kind: String, Sendable, Codable {
        /// The processors work, as they would on another device.
        case compute
        /// The device waits for the network or the back end: as long on any device.
        case network
        /// Deliberate wait, such as before a request is repeated.
        case sleep
    }

    package var name: String
    package var kind: Kind
    /// The name of the stage that it is a part of; nil for one that is a part of none.
    package var parent: String?

    package init(_ name: String, _ kind: Kind, in parent: String? = nil) {
        (self.name, self.kind, self.parent) = (name, kind, parent)
    }

    package func part(of parent: Stage) -> Stage { Stage(name, kind, in: parent.name) }

    /// Stage from file bytes to text, all of it on the device.
    package static let total = Stage("total", .compute)
    /// Stage from file bytes to pixels.
    package static let decode = Stage("decode", .compute)
    package static let preparation = Stage("preparation", .compute)
    /// Reading on the device, inference included; missing where the device did not read.
    package static let reading = Stage("reading", .compute)
    package static let detectionInference = Stage("detectionInference", .compute, in: reading.name)
    /// Inside the recognition and orientation models.
    package static let recognitionInference = Stage("recognitionInference", .compute, in: reading.name)
    package static let matching = Stage("matching", .compute)
    /// Stage from a text's request to the back end's answer.
    package static let enrichment = Stage("enrichment", .network)
    /// Stage from a picture's request to the back end's answer.
    package static let upload = Stage("upload", .network)
}

package struct StageTimes: Sendable, Equatable {
    package struct Entry: Sendable, Equatable, Codable {
        private var name: String
        private var kind: Stage.Kind
        private var parent: String?
        package var milliseconds: Double

        init(_ stage: Stage, _ milliseconds: Double) {
            (name, kind, parent, self.milliseconds) = (stage.name, stage.kind, stage.parent, milliseconds)
        }

        package var stage: Stage { Stage(name, kind, in: parent) }
    }

    /// Entries, each stage once.
    package private(set) var entries: [Entry] = []

    package init() {}

    /// Returns the duration of a stage in milliseconds; nil when there was no such stage.
    package subscript(_ stage: Stage) -> Double? {
        get { self[stage.name] }
        set {
            entries.removeAll { $0.stage.name == stage.name }
            if let newValue { entries.append(Entry(stage, newValue)) }
        }
    }

    /// Returns the duration of the stage with this name, in milliseconds; nil when there was no such stage.
    package subscript(_ name: String) -> Double? { entries.first { $0.stage.name == name }?.milliseconds }

    package var names: [String] { entries.map(\.stage.name) }

    /// Returns the milliseconds in stages of a kind, a part counted in its parent; simultaneous stages are both
    /// counted.
    package func sum(_ kind: Stage.Kind) -> Double {
        entries.filter { entry in
            entry.stage.kind == kind && !(entry.stage.parent.map { self[$0] != nil } ?? false)
        }.reduce(0) { $0 + $1.milliseconds }
    }
}

extension StageTimes: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (Stage, Double?)...) {
        for (stage, milliseconds) in elements { self[stage] = milliseconds }
    }
}

/// A list of stages: `[{"name", "kind", "parent", "milliseconds"}]`.
extension StageTimes: Codable {
    package init(from decoder: any Decoder) throws { entries = try [Entry](from: decoder) }

    package func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }
}
