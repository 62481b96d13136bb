package import Evaluation

package struct Assertion: Sendable, Equatable, Codable {
    package enum Comparator: String, Sendable, Codable, CaseIterable {
        case below
        case atMost = "at-most"
        case above
        case atLeast = "at-least"
        case equals
        case within

        /// "<".
        package var symbol: String {
            switch self {
            case .equals: "="
            case .within: "within"
            default: targets[0].rawValue
            }
        }

        /// Comparators that all have to be met; the second of `within` has the upper limit.
        package var targets: [Target.Comparator] {
            switch self {
            case .below: [.below]
            case .atMost: [.atMost]
            case .above: [.above]
            case .atLeast: [.atLeast]
            case .equals, .within: [.atLeast, .atMost]
            }
        }
    }

    /// Other variant or session whose same figure is the limit, times a factor.
    package struct Reference: Sendable, Equatable, Codable {
        /// nil for the same variant; `*` stands for what it stands for in the assertion's variant.
        package var variant: NamePattern?
        /// Conditions over those of the assertion; nil for the same session.
        package var session: SessionConditions?
        package var factor = 1.0

        package init(variant: NamePattern? = nil, session: SessionConditions? = nil, factor: Double = 1) {
            (self.variant, self.session, self.factor) = (variant, session, factor)
        }
    }

    /// Figure of measurements; nil when the figure is one of devices.
    package var metric: Metric?
    /// Figure on devices; nil when it is one of measurements.
    package var device: DeviceMetric?
    /// Category of samples; nil for all samples.
    package var category: String?
    /// Empty for all variants.
    package var variants: [NamePattern] = []
    /// Names of devices; empty for all devices of the run.
    package var devices: [String] = []
    package var session = SessionConditions()
    package var comparator: Comparator
    /// In the figure's unit; with a reference, what is added to it.
    package var limit: Double
    package var upperLimit: Double?
    package var reference: Reference?
    package var because: String?
    package var gates = false

    package init(_ comparator: Comparator, _ limit: Double, metric: Metric? = nil, device: DeviceMetric? = nil) {
        (self.comparator, self.limit, self.metric, self.device) = (comparator, limit, metric, device)
    }

    /// Spelling of the figure in suites: "latency-p95".
    package var figure: String { metric?.id ?? device?.rawValue ?? "" }

    package func holds(for variant: String) -> Bool {
        variants.isEmpty || variants.contains { $0.match(variant) != nil }
    }

    /// Name of the variant that the limit of `variant` is taken of.
    package func reference(of variant: String) -> String? {
        guard let pattern = reference?.variant else { return reference == nil ? nil : variant }
        return pattern.filled(variants.lazy.compactMap { $0.match(variant) }.first ?? "")
    }

    package var referenceSession: SessionConditions { reference?.session?.over(session) ?? session }
}

extension [Assertion] {
    /// Device figures that a variant's rows need, each once.
    package func deviceFigures(of variant: String) -> [DeviceMetricValue.Key] {
        var keys: [DeviceMetricValue.Key] = []
        for assertion in self {
            guard let metric = assertion.device else { continue }
            let isOwn = assertion.holds(for: variant)
            // Any variant may be the one that a limit is taken of.
            let isReferred = assertion.reference?.variant?.match(variant) != nil
            var own = isOwn ? [DeviceMetricValue.Key(metric, assertion.session)] : []
            if isReferred || isOwn && assertion.reference != nil {
                own.append(.init(metric, assertion.referenceSession))
            }
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
