import Basics
package import Harness

/// Settings of one kind of variant: each is a field, and a line of ``table`` with its text form.
package protocol Settings: Equatable, Sendable {
    associatedtype Kind: CaseIterable & Equatable & RawRepresentable<String> & Sendable

    /// Every setting, in the order of display; that of the kind first.
    static var table: [Setting<Self>] { get }
    /// Word for a kind in messages.
    static var kindName: String { get }
    static var standard: Self { get }
    /// The engine, strategy or way, which decides which settings apply.
    var kind: Kind { get }
    /// Fault of values that are valid alone and not together.
    var contradiction: SettingFault? { get }
}

extension Settings {
    package var contradiction: SettingFault? { nil }

    private var own: [Setting<Self>] { Self.table.filter { $0.kinds.contains(kind) } }

    var keys: [String] { own.map(\.name) }

    /// Text of every setting that applies, by its key: the written form of a variant.
    package var texts: [String: String] {
        own.reduce(into: [:]) { texts, setting in
            let text = setting.text(self)
            if !setting.isOptional || text != setting.text(.standard) { texts[setting.name] = text }
        }
    }

    /// Creates the settings that were written as `texts`, in which only an optional one may be missing.
    package init(texts: [String: String], name: String) throws(SettingFaults) {
        self = .standard
        try apply(texts, name: name, isWhole: true)
    }

    /// Returns these settings with others over them.
    package func overridden(by texts: [String: String], name: String) throws(SettingFaults) -> Self {
        var changed = self
        try changed.apply(texts, name: name, isWhole: false)
        return changed
    }

    private mutating func apply(_ texts: [String: String], name: String, isWhole: Bool) throws(SettingFaults) {
        // The kind is the first key: the others are held against the new one.
        var faults = Self.table.compactMap { setting in texts[setting.name].flatMap { set(setting, $0) } }
        for name in texts.keys.sorted() where !Self.table.contains(where: { $0.name == name }) {
            faults.append(SettingFault(key: name, problem: absence(of: name), isOfKey: true))
        }
        for setting in isWhole ? own : [] where texts[setting.name] == nil && !setting.isOptional {
            faults.append(SettingFault(key: setting.name, problem: "is missing; expected \(setting.allowed)"))
        }
        if faults.isEmpty { faults += [contradiction].compactMap(\.self) }
        if !faults.isEmpty { throw SettingFaults(base: name, faults: faults) }
    }

    private mutating func set(_ setting: Setting<Self>, _ text: String) -> SettingFault? {
        let (key, kinds) = (setting.name, setting.kinds)
        guard kinds.contains(kind) else {
            let only = kinds.map(\.rawValue).joined(separator: ", ")
            let problem = "does not apply to the \(Self.kindName) \(kind.rawValue), only to \(only)"
            return SettingFault(key: key, problem: problem, isOfKey: true)
        }
        if setting.set(&self, text) { return nil }
        let near = NearName.of(text, among: setting.allowed.commaParts).map { "did you mean \"\($0)\"? " } ?? ""
        return SettingFault(key: key, problem: "invalid value \"\(text)\"; \(near)expected \(setting.allowed)")
    }

    /// Returns the reason why these settings have no such key.
    private func absence(of name: String) -> String {
        if let reason = removedSettings[name] { return "was removed: \(reason); delete this setting" }
        let others = ComposedVariant.named.filter { $0.settings.all.keys.contains(name) }.map(\.name)
        if !others.isEmpty { return "does not apply to this variant, only to \(others.joined(separator: ", "))" }
        return "unknown setting; \(NearName.hint(for: name, among: keys))"
    }
}

/// Removed settings with the reason of their removal: old suites and notes name them.
private let removedSettings = [
    "first-models": "the networks of a first stage find the lines, too; set 'first-stage' instead",
    "gaps-searched": "gaps between lines are no longer searched, as this read no additional titles",
    "parallel-lines": "lines are packed on sheets; set 'line-widths' instead",
]

/// A setting: its key, values, kinds and meaning.
package struct Setting<Owner: Settings>: Sendable {
    /// Key in suites and on command lines.
    package let name: String
    package let meaning: String
    /// Allowed values for display, such as "a whole number from 1 to 256".
    package let allowed: String
    /// Kinds of settings that have it.
    package let kinds: [Owner.Kind]
    /// Whether records leave its standard value out: it is newer than the first records, whose digests stay.
    let isOptional: Bool
    package let text: @Sendable (Owner) -> String
    /// Sets the value of a text; false when it is not allowed.
    let set: @Sendable (inout Owner, String) -> Bool

    init<Value>(
        _ name: String,
        _ path: any WritableKeyPath<Owner, Value> & Sendable,
        _ values: SettingValues<Value>,
        of kinds: [Owner.Kind] = Array(Owner.Kind.allCases),
        isOptional: Bool = false,
        _ meaning: String
    ) {
        (self.name, self.meaning, self.kinds, self.isOptional) = (name, meaning, kinds, isOptional)
        allowed = values.allowed
        text = { values.text($0[keyPath: path]) }
        set = { owner, text in
            guard let value = values.value(text) else { return false }
            owner[keyPath: path] = value
            return true
        }
    }
}

/// Allowed values of a setting and their texts.
struct SettingValues<Value>: Sendable {
    let allowed: String
    let text: @Sendable (Value) -> String
    /// Returns nil for a text that is not allowed.
    let value: @Sendable (String) -> Value?
}

extension SettingValues where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
    static var choice: Self {
        Self(allowed: Value.allCases.map(\.rawValue).joined(separator: ", "), text: \.rawValue) { Value(rawValue: $0) }
    }
}

extension SettingValues where Value == Bool {
    static let toggle = Self(
        allowed: "on, off",
        text: { $0 ? "on" : "off" },
        value: { ["on": true, "off": false][$0] }
    )
}

extension SettingValues where Value == Int {
    static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)", text: \.description) {
            Int(plain: $0, in: range)
        }
    }
}

extension SettingValues where Value == Double {
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

extension SettingValues where Value == String {
    /// Any text but the empty one.
    static func text(_ allowed: String, value: @escaping @Sendable (String) -> String? = { $0 }) -> Self {
        Self(allowed: allowed, text: \.self) { $0.isEmpty ? nil : value($0) }
    }

    /// A file, or the word that means none.
    static func file(without word: String) -> Self { text("\(word), or a file path", value: \.withHomeFolder) }

    static func name(among names: [String]) -> Self {
        text(names.joined(separator: ", ")) { names.contains($0) ? $0 : nil }
    }
}

extension SettingValues {
    /// Values with `+` between them.
    static func list<Element>(
        _ allowed: String,
        most: Int = 16,
        text: @escaping @Sendable (Element) -> String,
        element: @escaping @Sendable (Substring) -> Element?
    ) -> Self where Value == [Element] {
        Self(
            allowed: allowed,
            text: { $0.map(text).joined(separator: "+") },
            value: { written in
                let parts = written.split(separator: "+", omittingEmptySubsequences: false)
                let values = parts.compactMap(element)
                return values.count == parts.count && values.count <= most ? values : nil
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
