import ArgumentParser
import Basics
import CommandSupport
import Documents
import Foundation
import Imaging
import SpineDatasets
import Statistics
import Systems

/// Agreement of two datasets' labels of the same spines.
struct LabelAgreement: Encodable, Sendable {
    /// Choices of one value for each spine.
    struct Choice: Encodable, Sendable {
        /// Spines with the same value in both.
        var equal: Int
        /// Cohen's kappa; nil if it is not defined, as where both used one value only.
        var kappa: Double?
    }

    struct Conflict: Encodable, Sendable {
        var first: String
        var second: String
        /// Texts such as "title: “Crow” and “Cow”".
        var differences: [String]
    }

    /// Spines with a label in both, and in one only.
    var spines = 0
    var onlyFirst: [String] = []
    var onlySecond: [String] = []
    /// By name of the value.
    var choices: [String: Choice] = [:]
    /// Of the spines that both found legible, those with equal texts, as written and with titles folded; intervals regard
    /// photos.
    var texts: [String: RateEstimate] = [:]
    /// Mean overlap of the outlines (intersection over union); nil without outlines.
    var meanOverlap: Double?
    var conflicts: [Conflict] = []

    typealias Field = (name: String, value: @Sendable (Sample) -> String)
    static let choices: [Field] = [
        ("category", { $0.category.rawValue }), ("orientation", { $0.orientation.rawValue }),
        ("legible", { "\($0.legible)" }),
    ]
    static let texts: [Field] = [
        ("title", { $0.title ?? "" }), ("author", { $0.author ?? "" }), ("transcription", { $0.transcription }),
        ("folded title", { FoldedText($0.title ?? "").description }),
    ]
    /// Least overlap of two outlines of one spine.
    private static let leastOverlap = 0.5

    init(_ first: Dataset, _ second: Dataset) {
        var free = Dictionary(grouping: second.samples, by: Self.photo)
        var pairs: [(Sample, Sample)] = []
        var overlaps: [Double] = []
        for sample in first.samples {
            let photo = Self.photo(of: sample)
            let best = free[photo, default: []].enumerated().compactMap { place, other -> (Int, Double)? in
                guard let a = sample.quad, let b = other.quad else {
                    return sample.quad == nil && other.quad == nil && sample.image == other.image ? (place, 1) : nil
                }
                let overlap = a.overlap(with: b)
                return overlap >= Self.leastOverlap ? (place, overlap) : nil
            }.max { $0.1 < $1.1 }
            guard let (place, overlap) = best, let other = free[photo]?.remove(at: place) else {
                onlyFirst.append(sample.id)
                continue
            }
            if sample.quad != nil { overlaps.append(overlap) }
            pairs.append((sample, other))
        }
        onlySecond = free.values.joined().map(\.id).sorted()
        spines = pairs.count
        meanOverlap = overlaps.isEmpty ? nil : overlaps.reduce(0, +) / Double(overlaps.count)
        for (name, value) in Self.choices {
            let values = pairs.map { (value($0), value($1)) }
            choices[name] = Choice(equal: values.count { $0 == $1 }, kappa: Self.kappa(values))
        }
        let read = pairs.filter { $0.legible && $1.legible }
        for (name, value) in Self.texts {
            texts[name] = RateEstimate(read.map { value($0) == value($1) }, groups: read.map(\.0.group))
        }
        conflicts = pairs.compactMap { a, b in
            let fields = Self.choices + (a.legible && b.legible ? Self.texts.dropLast() : [])
            let differences = fields.filter { $0.value(a) != $0.value(b) }
                .map { "\($0.name): “\($0.value(a))” and “\($0.value(b))”" }
            return differences.isEmpty ? nil : Conflict(first: a.id, second: b.id, differences: differences)
        }
    }

    /// Returns the digest at the end of the group that 'label' writes, before which 'dataset merge' puts other names; the
    /// name in other datasets.
    private static func photo(of sample: Sample) -> String {
        let name = sample.group ?? sample.image
        return name.firstMatch(of: /-([0-9a-f]{16})$/).map { String($0.1) } ?? name
    }

    /// Returns Cohen's kappa of two raters' values: 1 for full agreement, 0 for that of chance; nil if chance alone agrees
    /// fully, or without pairs.
    ///
    /// Source: Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20 (1960).
    static func kappa(_ pairs: [(String, String)]) -> Double? {
        if pairs.isEmpty { return nil }
        let count = Double(pairs.count)
        let observed = Double(pairs.count { $0 == $1 }) / count
        let expected = Set(pairs.map(\.0)).reduce(0.0) { sum, value in
            sum + Double(pairs.count { $0.0 == value }) / count * (Double(pairs.count { $0.1 == value }) / count)
        }
        return expected < 1 ? (observed - expected) / (1 - expected) : nil
    }
}

struct DatasetAgreement: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agreement",
        abstract: "Measure the agreement of two people's labels of the same photos.",
        discussion: """
            Example:

              spinebench dataset agreement ann ben

            Titles are compared as written, and without case, marks and punctuation. Manual: \
            Docs/DATASETS.md#label-your-own-photos. Exit codes: 0 measured, 2 an invalid dataset, 3 no spine in \
            common.
            """
    )

    @Argument(help: "Dataset of the first labeller.", completion: .directory)
    var first: String

    @Argument(help: "Dataset of the second labeller.", completion: .directory)
    var second: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let datasets = (try DatasetLoader().load(first), try DatasetLoader().load(second))
        let agreement = LabelAgreement(datasets.0, datasets.1)
        if json {
            StandardOutput.write(try JSONText.of(agreement) + "\n")
        } else {
            let figures = [(first, datasets.0), (second, datasets.1)].flatMap { path, dataset in
                LabelFigures(dataset.samples).sentences.map { "\(path): \($0)" }
            }
            StandardOutput.write(([text(agreement)] + figures).joined(separator: "\n") + "\n")
        }
        if agreement.spines == 0 {
            Console.error("\(first) and \(second) have no spine in common: label the same photos")
            throw ExitStatus.undecided.exitCode
        }
    }

    private func text(_ agreement: LabelAgreement) -> String {
        var rows = [
            ["spines in both", "\(agreement.spines)"], ["only in \(first)", "\(agreement.onlyFirst.count)"],
            ["only in \(second)", "\(agreement.onlySecond.count)"],
        ]
        for (name, _) in LabelAgreement.choices {
            guard let choice = agreement.choices[name] else { continue }
            let rate = NumberText.proportion(Proportion(successes: choice.equal, trials: agreement.spines))
            rows.append([
                "equal \(name)", "\(rate), kappa \(choice.kappa.map { NumberText.fixed($0, 3) } ?? "not defined")",
            ])
        }
        for (name, _) in LabelAgreement.texts {
            guard let rate = agreement.texts[name] else { continue }
            let note = rate.basis == .tooFewGroups ? ", too narrow: few photos" : ""
            let text = "\(NumberText.proportion(rate.proportion)) \(NumberText.interval(rate.proportion))\(note)"
            rows.append(["equal \(name)s", text])
        }
        rows.append([
            "mean overlap of outlines", agreement.meanOverlap.map { NumberText.fixed($0, 3) } ?? "no outlines",
        ])
        let conflicts = agreement.conflicts.map { conflict in
            "\(conflict.first) / \(conflict.second)  \(PlainLine.of(conflict.differences.joined(separator: "; ")))"
        }
        return ([Table(columns: ["agreement", ""], rows: rows).terminal(width: Console.width)] + conflicts)
            .joined(separator: "\n")
    }
}
