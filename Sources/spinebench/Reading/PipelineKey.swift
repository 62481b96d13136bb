import SpineReaders

/// One setting of the pipeline by its name: what it means, which values it takes, and how they are written.
struct PipelineKey: Sendable {
    typealias Engine = PipelineSettings.Engine

    /// As suites and command lines write it.
    var name: String
    /// One sentence.
    var meaning: String
    /// The engines that it means something to.
    var engines: [Engine]
    /// For people, such as "a whole number from 1 to 256".
    var allowed: String
    /// Every value, where there are few.
    var choices: [String] = []
    /// The value as text.
    var text: @Sendable (PipelineSettings) -> String
    /// Takes a value over; false when it is not allowed.
    var set: @Sendable (inout PipelineSettings, String) -> Bool

    static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String,
        _ path: any WritableKeyPath<PipelineSettings, Value> & Sendable,
        _ engines: [Engine],
        _ meaning: String
    ) -> PipelineKey {
        let choices = Value.allCases.map(\.rawValue)
        return PipelineKey(
            name: name,
            meaning: meaning,
            engines: engines,
            allowed: choices.joined(separator: ", "),
            choices: choices,
            text: { $0[keyPath: path].rawValue },
            set: { settings, text in
                guard let value = Value(rawValue: text) else { return false }
                settings[keyPath: path] = value
                return true
            }
        )
    }

    static func integer(
        _ name: String,
        _ path: any WritableKeyPath<PipelineSettings, Int> & Sendable,
        _ range: ClosedRange<Int>,
        _ engines: [Engine],
        _ meaning: String
    ) -> PipelineKey {
        PipelineKey(
            name: name,
            meaning: meaning,
            engines: engines,
            allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            text: { "\($0[keyPath: path])" },
            set: { settings, text in
                guard let value = Int(text), range.contains(value) else { return false }
                settings[keyPath: path] = value
                return true
            }
        )
    }

    /// A share from 0 to 1.
    static func share(
        _ name: String,
        _ path: any WritableKeyPath<PipelineSettings, Double> & Sendable,
        _ engines: [Engine],
        _ meaning: String
    ) -> PipelineKey {
        PipelineKey(
            name: name,
            meaning: meaning,
            engines: engines,
            allowed: "a number from 0 to 1",
            text: { "\($0[keyPath: path])" },
            set: { settings, text in
                guard let value = Double(text), (0...1).contains(value) else { return false }
                settings[keyPath: path] = value
                return true
            }
        )
    }

    /// Values of a kind with `+` between them.
    static func list<Value>(
        _ name: String,
        _ engines: [Engine],
        allowed: String,
        _ meaning: String,
        counts: ClosedRange<Int> = 1...16,
        get: @escaping @Sendable (PipelineSettings) -> [Value],
        set: @escaping @Sendable (inout PipelineSettings, [Value]) -> Void,
        text: @escaping @Sendable (Value) -> String,
        value: @escaping @Sendable (Substring) -> Value?
    ) -> PipelineKey {
        PipelineKey(
            name: name,
            meaning: meaning,
            engines: engines,
            allowed: allowed,
            text: { get($0).map(text).joined(separator: "+") },
            set: { settings, written in
                let parts = written.split(separator: "+", omittingEmptySubsequences: false)
                let values = parts.compactMap(value)
                guard values.count == parts.count, counts.contains(values.count) else { return false }
                set(&settings, values)
                return true
            }
        )
    }
}
