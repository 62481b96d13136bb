/// One setting of a variant that cannot be, and why.
package struct SettingFault: Sendable, Equatable, CustomStringConvertible {
    /// The setting.
    package var key: String
    /// Without the key: what was found, and what was expected.
    package var problem: String
    /// Whether it is the key that is wrong, not its value.
    package var isOfKey: Bool

    package init(key: String, problem: String, isOfKey: Bool = false) {
        self.key = key
        self.problem = problem
        self.isOfKey = isOfKey
    }

    package var description: String { "\(key): \(problem)" }
}

/// Why a variant has no meaning: all that is wrong with its settings.
package struct SettingFaults: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was asked for, such as `fast`.
    package var base: String
    /// Not empty.
    package var faults: [SettingFault]

    package init(base: String, faults: [SettingFault]) {
        self.base = base
        self.faults = faults
    }

    package var description: String {
        "the variant \(base) cannot be set so: " + faults.map(\.description).joined(separator: "; ")
    }
}
