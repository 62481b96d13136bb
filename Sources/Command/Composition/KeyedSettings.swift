import Basics
import Evaluation
package import Harness

/// Settings that are written as texts, by their keys: what a variant is made of.
package protocol KeyedSettings: Sendable {
    /// What decides which of the keys mean something.
    associatedtype Scope: RawRepresentable<String> & Equatable & Sendable

    /// Every setting, in the order in which people are shown them; that of the scope first.
    static var keys: [SettingKey<Self>] { get }
    /// What the scope is called.
    static var scopeName: String { get }
    /// What texts are taken over into.
    static var unset: Self { get }
    var scope: Scope { get }
    /// Settings that are allowed one by one and not together.
    var contradictions: [SettingFault] { get }
}

extension KeyedSettings {
    /// Every setting that means something to the scope, by its key: what a variant is written as.
    package var texts: [String: String] {
        let texts = Self.keys(of: scope).map { (key: $0, text: $0.text(self)) }
        return Dictionary(uniqueKeysWithValues: texts.filter { $0.text != $0.key.unset }.map { ($0.key.name, $0.text) })
    }

    /// The settings that were written as `texts`.
    ///
    /// - Throws: `SettingFaults` when a key is missing, unknown or means nothing to the scope, or a value is not allowed.
    package init(texts: [String: String], name: String) throws(SettingFaults) {
        self = .unset
        var faults = apply(texts)
        for key in Self.keys(of: scope) where texts[key.name] == nil && key.unset == nil {
            faults.append(SettingFault(key: key.name, problem: "is missing; expected \(key.allowed)"))
        }
        if !faults.isEmpty { throw SettingFaults(base: name, faults: faults) }
    }

    /// These settings with others over them.
    ///
    /// - Throws: `SettingFaults` with all that is wrong.
    package func overridden(by texts: [String: String], name: String) throws(SettingFaults) -> Self {
        var changed = self
        let faults = changed.apply(texts)
        if !faults.isEmpty { throw SettingFaults(base: name, faults: faults) }
        return changed
    }

    private static func keys(of scope: Scope) -> [SettingKey<Self>] { keys.filter { $0.scopes.contains(scope) } }

    /// Sets what can be set and says what cannot.
    private mutating func apply(_ texts: [String: String]) -> [SettingFault] {
        var faults: [SettingFault] = []
        for key in Self.keys {
            guard let text = texts[key.name] else { continue }
            // The scope is the first key: the others are held against the new one.
            if !key.scopes.contains(scope) {
                let scopes = key.scopes.map(\.rawValue).joined(separator: ", ")
                let problem = "means nothing to the \(Self.scopeName) \(scope.rawValue), only to \(scopes)"
                faults.append(SettingFault(key: key.name, problem: problem, isOfKey: true))
            } else if !key.set(&self, text) {
                faults.append(SettingFault(key: key.name, problem: Self.refusal(of: text, for: key)))
            }
        }
        let names = Self.keys(of: scope).map(\.name)
        for name in texts.keys.sorted() where !Self.keys.contains(where: { $0.name == name }) {
            let problem = "there is no such setting; \(NearName.hint(for: name, among: names))"
            faults.append(SettingFault(key: name, problem: problem, isOfKey: true))
        }
        return faults.isEmpty ? contradictions : faults
    }

    private static func refusal(of text: String, for key: SettingKey<Self>) -> String {
        let near = NearName.of(text, among: key.choices).map { "did you mean \"\($0)\"? " } ?? ""
        return "\"\(text)\" is not allowed; \(near)expected \(key.allowed)"
    }
}
