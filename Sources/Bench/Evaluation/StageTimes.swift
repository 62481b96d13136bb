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

    fileprivate static let known = [
        total, decode, preparation, reading, detectionInference, recognitionInference, matching, enrichment, upload,
    ]
}

package struct StageTimes: Sendable, Equatable {
    package struct Entry: Sendable, Equatable, Codable {
        package var stage: Stage
        package var milliseconds: Double
    }

    /// Entries, each stage once.
    package private(set) var entries: [Entry] = []

    package init() {}

    /// Milliseconds by name, as earlier versions wrote them; names that this program gave to no stage explain nothing.
    package init(byName times: [String: Double]) {
        for stage in Stage.known where times[stage.name] != nil {
            let isPart = stage != .total && times[Stage.total.name] != nil
            self[isPart ? stage.part(of: .total) : stage] = times[stage.name]
        }
    }

    /// Returns the duration of a stage in milliseconds; nil when there was no such stage.
    package subscript(_ stage: Stage) -> Double? {
        get { self[stage.name] }
        set {
            entries.removeAll { $0.stage.name == stage.name }
            if let newValue { entries.append(Entry(stage: stage, milliseconds: newValue)) }
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

extension StageTimes: Codable {
    private struct Written: Codable {
        package var name: String
        package var kind: Stage.Kind
        package var parent: String?
        package var milliseconds: Double
    }

    /// Reads a list of stages.
    package init(from decoder: any Decoder) throws {
        for stage in try [Written](from: decoder) {
            self[Stage(stage.name, stage.kind, in: stage.parent)] = stage.milliseconds
        }
    }

    /// Writes `[{"name", "kind", "parent", "milliseconds"}]`.
    package func encode(to encoder: any Encoder) throws {
        try entries.map {
            Written(name: $0.stage.name, kind: $0.stage.kind, parent: $0.stage.parent, milliseconds: $0.milliseconds)
        }.encode(to: encoder)
    }
}
