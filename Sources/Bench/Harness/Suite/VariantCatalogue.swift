/// Components of a suite's variants; the program with the pipeline supplies it.
package struct VariantCatalogue: Sendable {
    /// Named variants that others are made from, with the tier whose targets hold for them; nil when none do.
    package typealias Base = (name: String, tier: String?)

    package var bases: [Base]
    /// Resolver of a base's settings with others over them; it throws all of their faults.
    package var resolve:
        @Sendable (_ base: String, _ settings: [String: String]) throws(SettingFaults) -> [String: String]

    package init(
        bases: [Base],
        resolve:
            @escaping @Sendable (_ base: String, _ settings: [String: String]) throws(SettingFaults) -> [String: String]
    ) {
        (self.bases, self.resolve) = (bases, resolve)
    }

    func base(_ name: String) -> Base? { bases.first { $0.name == name } }
}

package struct SettingFault: Sendable, Equatable, CustomStringConvertible {
    package var key: String
    /// Actual and expected value, without the key.
    package var problem: String
    /// Whether it is the key that is wrong, not its value.
    package var isOfKey: Bool

    package init(key: String, problem: String, isOfKey: Bool = false) {
        (self.key, self.problem, self.isOfKey) = (key, problem, isOfKey)
    }

    package var description: String { "\(key): \(problem)" }
}

package struct SettingFaults: Error, Sendable, Equatable, CustomStringConvertible {
    package var base: String
    package var faults: [SettingFault]

    package init(base: String, faults: [SettingFault]) { (self.base, self.faults) = (base, faults) }

    package var description: String {
        "invalid settings of variant \(base): " + faults.map(\.description).joined(separator: "; ")
    }
}
