/// What a suite can make variants from; the program that has the pipeline supplies it.
package struct VariantCatalogue: Sendable {
    /// A named variant that others are made from.
    package struct Base: Sendable, Equatable {
        package var name: String
        /// The tier whose targets hold for it; nil when none do.
        package var tier: String?

        package init(name: String, tier: String?) {
            self.name = name
            self.tier = tier
        }
    }

    package var bases: [Base]
    /// Every setting of a base with others over them; throws all that is wrong with those.
    package var resolve:
        @Sendable (_ base: String, _ settings: [String: String]) throws(SettingFaults) -> [String: String]

    package init(
        bases: [Base],
        resolve:
            @escaping @Sendable (_ base: String, _ settings: [String: String]) throws(SettingFaults) -> [String: String]
    ) {
        self.bases = bases
        self.resolve = resolve
    }

    func base(_ name: String) -> Base? { bases.first { $0.name == name } }
}
