import Documents

/// One setting by its name: what it means, which values it takes, and how they are written.
package struct SettingKey<Settings: KeyedSettings>: Sendable {
    /// As suites and command lines write it.
    package var name: String
    /// One sentence.
    package var meaning: String
    /// The engines, or ways of scanning, that it means something to.
    package var scopes: [Settings.Scope] = []
    /// For people, such as "a whole number from 1 to 256".
    package var allowed: String
    /// Every value, where there are few.
    package var choices: [String] = []
    /// The value that records leave out, of a setting that came after the first records: theirs keep their digests.
    package var unset: String?
    /// The value as text.
    package var text: @Sendable (Settings) -> String
    /// Takes a value over; false when it is not allowed.
    package var set: @Sendable (inout Settings, String) -> Bool

    static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String,
        _ path: any WritableKeyPath<Settings, Value> & Sendable,
        for scopes: [Settings.Scope] = [],
        _ meaning: String
    ) -> SettingKey {
        let choices = Value.allCases.map(\.rawValue)
        return SettingKey(
            name: name,
            meaning: meaning,
            scopes: scopes,
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

    static func toggle(
        _ name: String,
        _ path: any WritableKeyPath<Settings, Bool> & Sendable,
        for scopes: [Settings.Scope] = [],
        _ meaning: String
    ) -> SettingKey {
        SettingKey(
            name: name,
            meaning: meaning,
            scopes: scopes,
            allowed: "on, off",
            choices: ["on", "off"],
            text: { $0[keyPath: path] ? "on" : "off" },
            set: { settings, text in
                guard text == "on" || text == "off" else { return false }
                settings[keyPath: path] = text == "on"
                return true
            }
        )
    }

    static func integer(
        _ name: String,
        _ path: any WritableKeyPath<Settings, Int> & Sendable,
        _ range: ClosedRange<Int>,
        for scopes: [Settings.Scope] = [],
        _ meaning: String
    ) -> SettingKey {
        SettingKey(
            name: name,
            meaning: meaning,
            scopes: scopes,
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
        _ path: any WritableKeyPath<Settings, Double> & Sendable,
        for scopes: [Settings.Scope] = [],
        _ meaning: String
    ) -> SettingKey {
        SettingKey(
            name: name,
            meaning: meaning,
            scopes: scopes,
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
        for scopes: [Settings.Scope] = [],
        allowed: String,
        _ meaning: String,
        counts: ClosedRange<Int> = 1...16,
        get: @escaping @Sendable (Settings) -> [Value],
        set: @escaping @Sendable (inout Settings, [Value]) -> Void,
        text: @escaping @Sendable (Value) -> String,
        value: @escaping @Sendable (Substring) -> Value?
    ) -> SettingKey {
        SettingKey(
            name: name,
            meaning: meaning,
            scopes: scopes,
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

    static func number(
        _ name: String,
        _ path: any WritableKeyPath<Settings, Double> & Sendable,
        _ range: ClosedRange<Double>,
        for scopes: [Settings.Scope] = [],
        _ meaning: String
    ) -> SettingKey {
        SettingKey(
            name: name,
            meaning: meaning,
            scopes: scopes,
            allowed: "a number from \(NumberText.short(range.lowerBound)) to \(NumberText.short(range.upperBound))",
            text: { NumberText.short($0[keyPath: path]) },
            set: { settings, text in
                guard let value = Double(text), range.contains(value) else { return false }
                settings[keyPath: path] = value
                return true
            }
        )
    }

    /// A file, or the word that stands for doing without.
    static func file(
        _ name: String,
        _ path: any WritableKeyPath<Settings, String> & Sendable,
        without word: String,
        unset: String? = nil,
        for scopes: [Settings.Scope] = [],
        _ meaning: String
    ) -> SettingKey {
        SettingKey(
            name: name,
            meaning: meaning,
            scopes: scopes,
            allowed: "\(word), or a file's path",
            unset: unset,
            text: { $0[keyPath: path] },
            set: { settings, text in
                guard !text.isEmpty else { return false }
                settings[keyPath: path] = text
                return true
            }
        )
    }
}
