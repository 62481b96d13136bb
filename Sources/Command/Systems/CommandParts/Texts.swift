package import Basics
package import CommandSupport
import Evaluation
import Harness
package import SpineDatasets

extension DatasetLoader {
    /// Loads a dataset with labelled spines or shelves; throws for one without.
    package func labelled(_ path: String) throws -> Dataset {
        let dataset = try load(path)
        guard !dataset.subjects.isEmpty else {
            throw HarnessError.configuration("\(path) has neither labelled spines nor shelves")
        }
        return dataset
    }
}

package enum DatasetText {
    /// Returns "spines 1.0: 60 spines (20 vertical, …), 58 legible; 2 shelves with 31 spines".
    package static func summary(_ dataset: Dataset) -> String {
        let (samples, shelves) = (dataset.samples, dataset.shelves)
        let categories = SampleCategory.allCases.map { category in
            (samples.count { $0.category == category }, category.rawValue)
        }.filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
        let version = dataset.manifest.version.map { " \($0)" } ?? ""
        let spines =
            "\(NumberText.count(samples.count, "spine")) (\(categories)), \(samples.count(where: \.legible)) legible"
        let books = NumberText.count(shelves.reduce(0) { $0 + $1.books.count }, "spine")
        let photos = "\(NumberText.count(shelves.count, "shelf", plural: "shelves")) with \(books)"
        let parts = (samples.isEmpty && !shelves.isEmpty ? [] : [spines]) + (shelves.isEmpty ? [] : [photos])
        return "\(dataset.manifest.name)\(version): \(parts.joined(separator: "; "))"
    }

    /// Writes a dataset's warnings to standard error, the first ones each.
    package static func tell(_ warnings: [Fault]) {
        for line in Faults(warnings).lines { Console.standardError("warning: \(line)") }
    }
}

extension Verdict? {
    package var colour: Console.Colour {
        switch self {
        case .pass: .green
        case .fail: .red
        case .inconclusive, nil: .yellow
        }
    }
}
