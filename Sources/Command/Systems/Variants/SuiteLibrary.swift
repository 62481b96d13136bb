import Basics
import CommandSupport
import Foundation
package import Harness
import SpineReaders

package enum SuiteLibrary {
    /// Folder with the ready-made suites: `SPINEBENCH_SUITES`, or `Suites` above the program or working directory.
    package static let folder: String? = ProjectFolder.find(
        variable: "SPINEBENCH_SUITES",
        named: "Suites",
        holding: "standard.yaml"
    )

    package static var names: [String] {
        let files = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(".yaml".count)) }.sorted()
    }

    /// Catalogue from which variants are made.
    package static let catalogue = VariantCatalogue(
        bases: ComposedVariant.bases.map { ($0.name, $0.tier) },
        resolve: { name, settings throws(SettingFaults) in
            guard let base = ComposedVariant.named(name) else {
                throw SettingFaults(base: name, faults: [SettingFault(key: "base", problem: "not found")])
            }
            return try base.settings.overridden(by: settings, name: name).texts
        }
    )

    /// Returns the path of a name: a ready-made suite's, or the name itself if it is a path.
    package static func path(of name: String) throws -> String {
        if name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml") { return name }
        guard let folder else {
            throw HarnessError.configuration(
                "built-in suites not found; set SPINEBENCH_SUITES to their folder, or specify a file"
            )
        }
        guard names.contains(name) else {
            throw HarnessError.configuration("unknown suite \"\(name)\"; \(NearName.hint(for: name, among: names))")
        }
        return "\(folder)/\(name).yaml"
    }

    /// Returns a ready-made suite by its name, or any other by its path.
    package static func suite(_ name: String) throws -> Suite {
        let path = try path(of: name)
        return try SuiteFile.parse(InputFile.text(path), path: path, catalogue: catalogue)
    }
}
