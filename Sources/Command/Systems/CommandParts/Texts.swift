package import Basics
import Foundation
import Harness
package import SpineDatasets

package enum JSONText {
    package static func of(_ value: some Encodable) throws -> String {
        String(decoding: try JSONFile.bytes(value).dropLast(), as: UTF8.self)
    }

    package static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// Texts of others on one line of a terminal.
package enum PlainLine {
    /// Returns a text without control characters of a terminal: line ends and tabs become spaces, others are removed.
    package static func of(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.compactMap { scalar in
                    switch scalar.value {
                    case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: " "
                    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: nil
                    default: scalar
                    }
                }
            )
        )
    }
}

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
