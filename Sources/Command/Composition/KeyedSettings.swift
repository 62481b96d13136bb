import Basics
package import Harness

/// Settings that are written as texts, by their keys: the parts of a variant.
package protocol KeyedSettings: Sendable {
    /// The type that determines which keys have a meaning.
    associatedtype Scope: RawRepresentable<String> & Equatable & Sendable

    /// Every setting, in the order of display; that of the scope first.
    static var keys: [SettingKey<Self>] { get }
    /// Name of the scope.
    static var scopeName: String { get }
    /// Initial settings, to which texts are applied.
    static var unset: Self { get }
    var scope: Scope { get }
    /// Faults of values that are valid alone and not together.
    var contradictions: [SettingFault] { get }
}

/// Removed settings with the reason of their removal: old suites and notes name them.
private let removedSettings = [
    "gaps-searched": "gaps between lines are no longer searched, as this read no additional titles",
    "parallel-lines": "lines are packed on sheets; set 'line-widths' instead",
]

extension KeyedSettings {
    /// Text of every setting that has a meaning in the scope, by its key: the written form of a variant.
    package var texts: [String: String] {
        let texts = Self.keys(of: scope).map { (key: $0, text: $0.text(self)) }
        return Dictionary(uniqueKeysWithValues: texts.filter { $0.text != $0.key.unset }.map { ($0.key.name, $0.text) })
    }

    /// Creates the settings that were written as `texts`.
    ///
    /// - Throws: `SettingFaults` when a key is missing, unknown or means nothing to the scope, or a value is not
    ///   allowed.
    package init(texts: [String: String], name: String) throws(SettingFaults) {
        self = .unset
        var faults = apply(texts)
        for key in Self.keys(of: scope) where texts[key.name] == nil && key.unset == nil {
            faults.append(SettingFault(key: key.name, problem: "is missing; expected \(key.allowed)"))
        }
        if faults.isEmpty { faults = contradictions }
        if !faults.isEmpty { throw SettingFaults(base: name, faults: faults) }
    }

    /// Returns these settings with others over them.
    ///
    /// - Throws: `SettingFaults` with all faults.
    package func overridden(by texts: [String: String], name: String) throws(SettingFaults) -> Self {
        var changed = self
        var faults = changed.apply(texts)
        if faults.isEmpty { faults = changed.contradictions }
        if !faults.isEmpty { throw SettingFaults(base: name, faults: faults) }
        return changed
    }

    package var contradictions: [SettingFault] { [] }

    /// Returns the settings that mean something to a scope, in order.
    static func keys(of scope: Scope) -> [SettingKey<Self>] { keys.filter { $0.scopes.contains(scope) } }

    /// Applies the valid texts and returns the faults of the others.
    private mutating func apply(_ texts: [String: String]) -> [SettingFault] {
        var faults: [SettingFault] = []
        for key in Self.keys {
            guard let text = texts[key.name] else { continue }
            // The scope is the first key: the others are held against the new one.
            if !key.scopes.contains(scope) {
                let scopes = key.scopes.map(\.rawValue).joined(separator: ", ")
                let problem = "does not apply to the \(Self.scopeName) \(scope.rawValue), only to \(scopes)"
                faults.append(SettingFault(key: key.name, problem: problem, isOfKey: true))
            } else if !key.set(&self, text) {
                faults.append(SettingFault(key: key.name, problem: Self.refusal(of: text, for: key)))
            }
        }
        let names = Self.keys(of: scope).map(\.name)
        for name in texts.keys.sorted() where !Self.keys.contains(where: { $0.name == name }) {
            faults.append(SettingFault(key: name, problem: Self.absence(of: name, among: names), isOfKey: true))
        }
        return faults
    }

    /// Returns the reason why these settings have no such key.
    private static func absence(of name: String, among names: [String]) -> String {
        if let instead = removedSettings[name] { return "was removed: \(instead); delete this setting" }
        let others = VariantBase.names(having: name)
        if !others.isEmpty { return "does not apply to this variant, only to \(others.joined(separator: ", "))" }
        return "unknown setting; \(NearName.hint(for: name, among: names))"
    }

    private static func refusal(of text: String, for key: SettingKey<Self>) -> String {
        let near = NearName.of(text, among: key.choices).map { "did you mean \"\($0)\"? " } ?? ""
        return "invalid value \"\(text)\"; \(near)expected \(key.allowed)"
    }
}

/// One setting by its name: its meaning, its values, and their written form.
package struct SettingKey<Settings: KeyedSettings>: Sendable {
    /// Name of the key in suites and on command lines.
    package var name: String
    /// One sentence.
    package var meaning: String
    /// The engines, or ways of scanning, that it means something to.
    package var scopes: [Settings.Scope] = []
    /// Allowed values for display, such as "a whole number from 1 to 256".
    package var allowed: String
    /// Every value, if there are few.
    package var choices: [String] = []
    /// Value that records omit, of a setting that is newer than the first records: theirs keep their digests.
    package var unset: String?
    /// The value as text.
    package var text: @Sendable (Settings) -> String
    /// Takes a value over; false when it is not allowed.
    package var set: @Sendable (inout Settings, String) -> Bool

    static func choice<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String,
        _ path: any WritableKeyPath<Settings, Value> & Sendable,
        unset: Value? = nil,
        _ meaning: String
    ) -> SettingKey {
        let choices = Value.allCases.map(\.rawValue)
        return property(name, path, meaning, choices: choices, unset: unset?.rawValue, text: \.rawValue) {
            Value(rawValue: $0)
        }
    }

    /// Returns a key for one of some names.
    static func name(
        _ name: String,
        _ path: any WritableKeyPath<Settings, String> & Sendable,
        among names: [String],
        _ meaning: String
    ) -> SettingKey {
        property(name, path, meaning, choices: names, text: \.self) { names.contains($0) ? $0 : nil }
    }

    static func toggle(
        _ name: String,
        _ path: any WritableKeyPath<Settings, Bool> & Sendable,
        _ meaning: String
    ) -> SettingKey {
        property(
            name,
            path,
            meaning,
            choices: ["on", "off"],
            text: { $0 ? "on" : "off" },
            value: { ["on": true, "off": false][$0] }
        )
    }

    static func integer(
        _ name: String,
        _ path: any WritableKeyPath<Settings, Int> & Sendable,
        _ range: ClosedRange<Int>,
        unset: String? = nil,
        _ meaning: String
    ) -> SettingKey {
        let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return property(name, path, meaning, allowed: allowed, unset: unset, text: \.description) { text in
            Int(plain: text, in: range)
        }
    }

    /// Returns a key for a share from 0 to 1, written with all of its digits.
    static func share(
        _ name: String,
        _ path: any WritableKeyPath<Settings, Double> & Sendable,
        _ meaning: String
    ) -> SettingKey {
        number(name, path, 0...1, meaning) { "\($0)" }
    }

    static func number(
        _ name: String,
        _ path: any WritableKeyPath<Settings, Double> & Sendable,
        _ range: ClosedRange<Double>,
        _ meaning: String,
        text: @escaping @Sendable (Double) -> String = NumberText.short
    ) -> SettingKey {
        let allowed = "a number from \(NumberText.short(range.lowerBound)) to \(NumberText.short(range.upperBound))"
        return property(name, path, meaning, allowed: allowed, text: text) { text in
            Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Returns a key for a file, or for the word that means none.
    static func file(
        _ name: String,
        _ path: any WritableKeyPath<Settings, String> & Sendable,
        without word: String,
        unset: String? = nil,
        _ meaning: String
    ) -> SettingKey {
        let allowed = "\(word), or a file path"
        return property(name, path, meaning, allowed: allowed, unset: unset, text: \.self) {
            $0.isEmpty ? nil : $0
        }
    }

    /// Returns a key for a property; `value` is nil for a text that is not allowed, `allowed` for the choices.
    private static func property<Value>(
        _ name: String,
        _ path: any WritableKeyPath<Settings, Value> & Sendable,
        _ meaning: String,
        allowed: String? = nil,
        choices: [String] = [],
        unset: String? = nil,
        text: @escaping @Sendable (Value) -> String,
        value: @escaping @Sendable (String) -> Value?
    ) -> SettingKey {
        SettingKey(
            name: name,
            meaning: meaning,
            allowed: allowed ?? choices.joined(separator: ", "),
            choices: choices,
            unset: unset,
            text: { text($0[keyPath: path]) },
            set: { settings, text in
                guard let value = value(text) else { return false }
                settings[keyPath: path] = value
                return true
            }
        )
    }

    /// Values of a kind with `+` between them.
    static func list<Value>(
        _ name: String,
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

extension Int {
    /// Reads a number of a range in its plain form: `+3` and `03` would give one variant several names.
    init?(plain text: some StringProtocol, in range: ClosedRange<Int>) {
        guard let number = Int(text), range.contains(number), "\(number)" == text else { return nil }
        self = number
    }
}
