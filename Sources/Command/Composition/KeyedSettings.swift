import Basics
package import Harness

/// Settings that are written as texts, by their keys: the parts of a variant.
package protocol KeyedSettings: Sendable {
    associatedtype Scope: RawRepresentable<String> & Equatable & Sendable

    /// Every setting, in the order of display; that of the scope first.
    static var keys: [SettingKey<Self>] { get }
    static var scopeName: String { get }
    static var unset: Self { get }
    /// Returns the engines, or strategies, in which a key has a meaning.
    static func scopes(of key: String) -> [Scope]
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
    var ownKeys: [SettingKey<Self>] { Self.keys.filter { $0.scopes.contains(scope) } }

    var keyNames: [String] { ownKeys.map(\.name) }

    /// Text of every setting that has a meaning in the scope, by its key: the written form of a variant.
    package var texts: [String: String] {
        let texts = ownKeys.map { (key: $0, text: $0.text(self)) }
        return Dictionary(uniqueKeysWithValues: texts.filter { $0.text != $0.key.unset }.map { ($0.key.name, $0.text) })
    }

    /// Creates the settings that were written as `texts`; a key without a default must be among them.
    package init(texts: [String: String], name: String) throws(SettingFaults) {
        self = .unset
        try apply(texts, name: name, isWhole: true)
    }

    /// Returns these settings with others over them.
    package func overridden(by texts: [String: String], name: String) throws(SettingFaults) -> Self {
        var changed = self
        try changed.apply(texts, name: name, isWhole: false)
        return changed
    }

    package var contradictions: [SettingFault] { [] }

    private mutating func apply(_ texts: [String: String], name: String, isWhole: Bool) throws(SettingFaults) {
        // The scope is the first key: the others are held against the new one.
        var faults = Self.keys.compactMap { key in texts[key.name].flatMap { set(key, $0) } }
        for name in texts.keys.sorted() where !Self.keys.contains(where: { $0.name == name }) {
            faults.append(SettingFault(key: name, problem: Self.absence(of: name, among: keyNames), isOfKey: true))
        }
        for key in isWhole ? ownKeys : [] where texts[key.name] == nil && key.unset == nil {
            faults.append(SettingFault(key: key.name, problem: "is missing; expected \(key.allowed)"))
        }
        if faults.isEmpty { faults = contradictions }
        if !faults.isEmpty { throw SettingFaults(base: name, faults: faults) }
    }

    private mutating func set(_ key: SettingKey<Self>, _ text: String) -> SettingFault? {
        if !key.scopes.contains(scope) {
            let scopes = key.scopes.map(\.rawValue).joined(separator: ", ")
            let problem = "does not apply to the \(Self.scopeName) \(scope.rawValue), only to \(scopes)"
            return SettingFault(key: key.name, problem: problem, isOfKey: true)
        }
        if key.set(&self, text) { return nil }
        let near = NearName.of(text, among: key.choices).map { "did you mean \"\($0)\"? " } ?? ""
        return SettingFault(key: key.name, problem: "invalid value \"\(text)\"; \(near)expected \(key.allowed)")
    }

    /// Returns the reason why these settings have no such key.
    private static func absence(of name: String, among names: [String]) -> String {
        if let instead = removedSettings[name] { return "was removed: \(instead); delete this setting" }
        let others = VariantBase.names(having: name)
        if !others.isEmpty { return "does not apply to this variant, only to \(others.joined(separator: ", "))" }
        return "unknown setting; \(NearName.hint(for: name, among: names))"
    }
}

/// One setting by its name: its meaning, its values, and their written form.
package struct SettingKey<Settings: KeyedSettings>: Sendable {
    /// Name of the key in suites and on command lines.
    package let name: String
    package let meaning: String
    /// Allowed values for display, such as "a whole number from 1 to 256".
    package let allowed: String
    let choices: [String]
    /// Value that records omit, of a setting that is newer than the first records: theirs keep their digests.
    let unset: String?
    package let text: @Sendable (Settings) -> String
    /// Takes a value over; false when it is not allowed.
    let set: @Sendable (inout Settings, String) -> Bool

    init<Value>(
        _ name: String,
        _ path: any WritableKeyPath<Settings, Value> & Sendable,
        _ form: SettingForm<Value>,
        unset: Value? = nil,
        _ meaning: String
    ) {
        (self.name, self.meaning, allowed, choices) = (name, meaning, form.allowed, form.choices)
        self.unset = unset.map(form.text)
        text = { form.text($0[keyPath: path]) }
        set = { settings, text in
            guard let value = form.value(text) else { return false }
            settings[keyPath: path] = value
            return true
        }
    }

    package var scopes: [Settings.Scope] { Settings.scopes(of: name) }
}

struct SettingForm<Value>: Sendable {
    let allowed: String
    var choices: [String] = []
    let text: @Sendable (Value) -> String
    /// Returns nil for a text that is not allowed.
    let value: @Sendable (String) -> Value?

    static func choices(
        _ texts: [String],
        text: @escaping @Sendable (Value) -> String,
        value: @escaping @Sendable (String) -> Value?
    ) -> Self {
        Self(allowed: texts.joined(separator: ", "), choices: texts, text: text, value: value)
    }

    /// Values of a kind with `+` between them.
    static func list<Element>(
        _ allowed: String,
        counts: ClosedRange<Int> = 1...16,
        text: @escaping @Sendable (Element) -> String,
        element: @escaping @Sendable (Substring) -> Element?
    ) -> Self where Value == [Element] {
        Self(
            allowed: allowed,
            text: { $0.map(text).joined(separator: "+") },
            value: { written in
                let parts = written.split(separator: "+", omittingEmptySubsequences: false)
                let values = parts.compactMap(element)
                return values.count == parts.count && counts.contains(values.count) ? values : nil
            }
        )
    }
}

extension SettingForm where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
    static var choice: Self { choices(Value.allCases.map(\.rawValue), text: \.rawValue) { Value(rawValue: $0) } }
}

extension SettingForm where Value == Bool {
    static let toggle = choices(
        ["on", "off"],
        text: { $0 ? "on" : "off" },
        value: { ["on": true, "off": false][$0] }
    )
}

extension SettingForm where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)", text: \.description) {
            Int(plain: $0, in: range)
        }
    }
}

extension SettingForm where Value == Double {
    static func number(
        _ range: ClosedRange<Double>,
        text: @escaping @Sendable (Double) -> String = NumberText.short
    ) -> Self {
        let allowed = "a number from \(NumberText.short(range.lowerBound)) to \(NumberText.short(range.upperBound))"
        return Self(allowed: allowed, text: text) { Double($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// A share from 0 to 1, written with all of its digits.
    static let share = number(0...1) { "\($0)" }
}

extension SettingForm where Value == String {
    static func name(among names: [String]) -> Self {
        choices(names, text: \.self) { names.contains($0) ? $0 : nil }
    }

    /// A file, or the word that means none.
    static func file(without word: String) -> Self {
        Self(allowed: "\(word), or a file path", text: \.self) { $0.isEmpty ? nil : $0.withHomeFolder }
    }

    static func text(_ allowed: String) -> Self {
        Self(allowed: allowed, text: \.self) { $0.isEmpty ? nil : $0 }
    }
}

extension Int {
    /// Reads a number of a range in its plain form: `+3` and `03` would give one variant several names.
    init?(plain text: some StringProtocol, in range: ClosedRange<Int>) {
        guard let number = Int(text), range.contains(number), "\(number)" == text else { return nil }
        self = number
    }
}
