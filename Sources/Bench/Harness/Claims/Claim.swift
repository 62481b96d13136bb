import Basics
package import Evaluation

/// Statement about a figure that a run decides: a target of the scanner or of a suite, an assertion of a suite, or a
/// requirement of phones.
package struct Claim: Sendable, Equatable, Codable {
    /// Machine that a limit holds for, where it is not any.
    package enum Machine: String, Sendable, Codable, CaseIterable {
        /// A phone: a server's milliseconds do not apply to it.
        case phone
    }

    /// Other variant or session whose same figure is the limit, times a factor.
    package struct Reference: Sendable, Equatable, Codable {
        /// nil for the same variant; `*` stands for what it stands for in the claim's variant.
        package var variant: NamePattern?
        /// Conditions over those of the claim; nil for the same session.
        package var session: SessionConditions?
        package var factor = 1.0
    }

    /// Requirement that it derives from: "S0-T02"; nil for an assertion.
    package var source: String?
    /// Figure of measurements; nil when the figure is one of devices.
    package var metric: Metric?
    /// Figure on devices; nil when it is one of measurements.
    package var device: DeviceMetric?
    /// The only tier that it holds for; nil when it holds for all.
    package var tier: String?
    /// Tiers without this target; nil for none.
    package var except: [String]?
    /// The only category of samples that it holds for; nil for all samples together.
    package var category: String?
    /// nil for all variants.
    package var variants: [NamePattern]?
    /// Names of devices; nil for all devices of the run.
    package var devices: [String]?
    /// Conditions on devices; nil for the standard session.
    package var session: SessionConditions?
    package var comparator: Bound.Comparator
    /// In the figure's unit; with a reference, what is added to it.
    package var limit: Double
    package var upperLimit: Double?
    package var reference: Reference?
    /// Whether missing it fails the run: a target's, of a tier that gates.
    package var gates = true
    /// The only kind of machine that it decides on; nil for any.
    package var machine: Machine?
    /// Reason for an expected miss, for the report: the miss is reported nevertheless, not hidden; nil when the
    /// target should be met.
    package var expectedMiss: String?
    /// Whether it gates only where its metric is measured, and not where a reader claims its value; nil is false.
    package var gatesIfMeasured: Bool?
    /// Whether a suite states it: it is not decided where its figure cannot be computed.
    ///
    /// nil for the scanner's own targets, which name categories that a dataset need not have, and kinds of figures that a
    /// run need not have.
    package var isAsked: Bool?
    /// The classes of evidence that decide it at a gate; nil for all but what is reported or modelled, and for the model
    /// of phones.
    package var evidence: [EvidenceClass]?
    package var because: String?

    /// Returns whether it holds for the variants of a tier; nil is the tier of variants without one.
    package func holds(for tier: String?) -> Bool {
        if let own = self.tier { return own == tier }
        return tier.map { !(except ?? []).contains($0) } ?? true
    }

    /// Returns whether it asks something of a variant: the scanner's own targets ask nothing of a reader that is no tier and
    /// does not gate.
    func applies(to variant: Variant) -> Bool {
        holds(for: variant.tier) && (variant.tier != nil || variant.gates || isAsked == true)
    }

    package func holds(forVariant name: String) -> Bool {
        patterns.isEmpty || patterns.contains { $0.match(name) != nil }
    }

    /// Variants that it holds for; empty for all.
    package var patterns: [NamePattern] { variants ?? [] }

    package func isMet(by value: Double) -> Bool { comparator.isMet(by: value, limit: limit) }

    /// Returns whether a figure of a class may decide it at a gate; `ofPhone`: whether that is a figure of a phone.
    package func admits(_ found: EvidenceClass, ofPhone: Bool = false) -> Bool {
        if let evidence { return evidence.contains(found) }
        return switch found {
        case .measured, .measuredOnDevice: true
        case .modelled: ofPhone
        case .claimed: gatesIfMeasured != true
        case .reported, .reportedByRecording: false
        }
    }

    /// Name of the variant that the limit of `variant` is taken of; nil for a limit that is a number.
    package func reference(of variant: String) -> String? {
        guard let pattern = reference?.variant else { return reference == nil ? nil : variant }
        return pattern.filled(patterns.lazy.compactMap { $0.match(variant) }.first ?? "")
    }

    /// Conditions of its figure, and of the figure that its limit is taken of.
    package var conditions: SessionConditions { session ?? SessionConditions() }
    package var referenceConditions: SessionConditions { reference?.session?.over(conditions) ?? conditions }

    /// Returns the limits that all have to be met, each with its ends where it is an interval.
    func bounds(_ limits: [Double]) -> [[Bound]] {
        zip(comparator.sides, [limits, [upperLimit ?? limits[0]]]).map { side, ends in ends.map { Bound(side, $0) } }
    }
}

extension [Claim] {
    /// Device figures that a variant's rows need, each once.
    package func deviceFigures(of variant: String) -> [DeviceMetricValue.Key] {
        var keys: [DeviceMetricValue.Key] = []
        for claim in self {
            guard let metric = claim.device else { continue }
            let isOwn = claim.holds(forVariant: variant)
            // Any variant may be the one that a limit is taken of.
            let isReferred = claim.reference?.variant?.match(variant) != nil
            var own = isOwn ? [DeviceMetricValue.Key(metric, claim.conditions)] : []
            if isReferred || isOwn && claim.reference != nil { own.append(.init(metric, claim.referenceConditions)) }
            for key in own where !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}

/// Name in which one `*` stands for any characters.
package struct NamePattern: Sendable, Equatable, Codable, RawRepresentable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(_ text: String) { self.init(rawValue: text) }

    package var text: String { rawValue }

    /// Characters that `*` stands for in a name, empty without `*`; nil when the name does not match.
    package func match(_ name: String) -> String? {
        let parts = text.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return name == text ? "" : nil }
        guard name.count >= parts[0].count + parts[1].count, name.hasPrefix(parts[0]), name.hasSuffix(parts[1])
        else { return nil }
        return String(name.dropFirst(parts[0].count).dropLast(parts[1].count))
    }

    package func filled(_ characters: String) -> String { text.replacing("*", with: characters) }
}
