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
        let categories = SampleCategory.allCases.compactMap { category -> String? in
            let count = dataset.samples.count { $0.category == category }
            return count == 0 ? nil : "\(count) \(category.rawValue)"
        }
        let version = dataset.manifest.version.map { " \($0)" } ?? ""
        var parts: [String] = []
        if !dataset.samples.isEmpty || dataset.shelves.isEmpty {
            parts.append(
                "\(NumberText.count(dataset.samples.count, "spine")) (\(categories.joined(separator: ", "))), "
                    + "\(dataset.samples.count(where: \.legible)) legible"
            )
        }
        if !dataset.shelves.isEmpty {
            let books = dataset.shelves.reduce(0) { $0 + $1.books.count }
            parts.append(
                "\(NumberText.count(dataset.shelves.count, "shelf", plural: "shelves")) with "
                    + NumberText.count(books, "spine")
            )
        }
        return "\(dataset.manifest.name)\(version): \(parts.joined(separator: "; "))"
    }

    /// Writes a dataset's warnings to standard error, the first ones each.
    package static func tell(_ warnings: [Fault]) {
        let listed = 200
        for warning in warnings.prefix(listed) { Console.standardError("warning: \(warning)") }
        if warnings.count > listed { Console.standardError("warning: … and \(warnings.count - listed) more") }
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
