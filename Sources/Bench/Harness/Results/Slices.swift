package import Basics
import Evaluation
import Foundation
package import SpineDatasets
package import Statistics

/// Titles that a measurement read, by properties of its samples: where it loses.
package struct Slices: Sendable, Equatable, Codable {
    /// Samples that have a property in common.
    package struct Slice: Sendable, Equatable, Codable {
        package var property: String
        /// Value, or range of whole values with both ends: "vertical", "≤ 45", "46–70", "≥ 71".
        package var values: String
        package var rate: RateEstimate
        /// P value of Fisher's exact test against the measurement's other samples; nil with too few
        /// samples, or photos that they share, to test.
        package var p: Double?
        /// The same, by Holm's correction for all slices of the measurement.
        package var correctedP: Double?
    }

    /// All scored samples that have a title.
    package var overall: RateEstimate
    /// By property, values in ascending order; a property with one value for all samples has no slice.
    package var slices: [Slice]

    /// A slice of fewer samples is not tested.
    package static let minimumCount = 5
    /// Chance of marking any slice of a measurement in which all are alike.
    package static let level = 0.05

    /// Properties of samples: a text, or a number that is divided into thirds.
    package enum Property: String, Sendable, CaseIterable {
        case category
        case script
        case titleLength = "title length"
        case letterHeight = "letter height"
        case shortSide = "short side"
        case contrast
        case sharpness

        /// Value of a sample, and its number where it is one; nil for an unknown one.
        package func value(of sample: Sample, _ picture: PictureTraits?) -> (text: String, number: Int?)? {
            let number: Int? =
                switch self {
                case .category, .script: nil
                case .titleLength: sample.title?.count
                case .letterHeight:
                    sample.lines?.filter { $0.role == .title }.compactMap(\.height).min().map { Int($0.rounded()) }
                case .shortSide: picture?.shortSide
                case .contrast: picture?.contrast
                case .sharpness: picture?.sharpness
                }
            let text =
                self == .category ? sample.category.rawValue : self == .script ? sample.title.map(Slices.script) : nil
            return (text ?? number.map(String.init)).map { ($0, number) }
        }
    }

    /// Creates the slices of samples whose title was read or not; nil without any.
    init?(_ samples: [(sample: Sample, isRead: Bool)], traits: [String: PictureTraits]) {
        guard !samples.isEmpty else { return nil }
        func rate(_ places: some Sequence<Int>) -> RateEstimate {
            let chosen = places.map { samples[$0] }
            return RateEstimate(chosen.map(\.isRead), groups: chosen.map(\.sample.group))
        }
        overall = rate(samples.indices)
        slices = []
        for property in Property.allCases {
            let values = samples.map { property.value(of: $0.sample, traits[$0.sample.image]) }
            let groups = Self.groups(values)
            for (name, places) in groups where groups.count > 1 {
                let own = Set(places)
                let (slice, others) = (rate(places), rate(samples.indices.filter { !own.contains($0) }))
                let isTested = [slice, others].allSatisfy {
                    $0.trials >= Self.minimumCount && $0.basis != .tooFewGroups
                }
                let p = isTested ? FisherExact.p(slice.independent, others.independent) : nil
                slices.append(Slice(property: property.rawValue, values: name, rate: slice, p: p))
            }
        }
        let tested = slices.indices.filter { slices[$0].p != nil }
        for (index, p) in zip(tested, Holm.corrected(tested.compactMap { slices[$0].p })) {
            slices[index].correctedP = p
        }
    }

    /// Returns places of the samples by value; numbers by thirds, in which equal ones stay together.
    private static func groups(_ values: [(text: String, number: Int?)?]) -> [(name: String, places: [Int])] {
        let sorted = values.compactMap { $0?.number }.sorted()
        guard let last = sorted.last else {
            let known = values.indices.filter { values[$0] != nil }
            return Dictionary(grouping: known) { values[$0]?.text ?? "" }.sorted { $0.key < $1.key }
                .map { ($0.key, $0.value) }
        }
        let ends = Set([sorted[(sorted.count - 1) / 3], sorted[(sorted.count - 1) * 2 / 3], last]).sorted()
        return ends.enumerated().map { index, end in
            let start = index == 0 ? Int.min : ends[index - 1] + 1
            let name = index == 0 ? "≤ \(end)" : end == last ? "≥ \(start)" : "\(start)–\(end)"
            return (name, values.indices.filter { values[$0]?.number.map { (start...end).contains($0) } ?? false })
        }
    }

    /// Returns the script of most letters, by the first word of their Unicode names; Chinese characters and kana are
    /// "CJK".
    static func script(of title: String) -> String {
        let names = title.unicodeScalars.filter(\.properties.isAlphabetic).compactMap { letter in
            letter.properties.name.flatMap { $0.split(whereSeparator: { $0 == " " || $0 == "-" }).first }
        }
        let counts = Dictionary(names.map { (eastAsian.contains($0) ? "CJK" : $0.capitalized, 1) }, uniquingKeysWith: +)
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "no letters"
    }

    private static let eastAsian: Set<Substring> = ["CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HALFWIDTH"]
}

extension Slices.Slice {
    /// Whether it differs from the other samples by more than chance.
    package var standsOut: Bool { correctedP.map { $0 <= Slices.level } ?? false }

    /// Whether its interval excludes a rate, such as that of all samples.
    package func excludes(_ rate: Figure) -> Bool {
        rate.value.map { rate in self.rate.interval.value.map { !$0.contains(rate) } ?? false } ?? false
    }
}
