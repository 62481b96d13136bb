import Basics
import DatasetExchange
import Foundation
import Harness

/// Programs for the formats of other tools.
enum FormatLibrary {
    /// Folder of the project's programs: `SPINEBENCH_FORMATS`, or `Formats` above the program or working directory.
    private static let folder: String? = ProjectFolder.find(
        variable: "SPINEBENCH_FORMATS",
        named: "Formats",
        holding: "formats.py"
    )

    static var names: [String] {
        let files = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        return files.filter { !$0.contains(".") && !$0.hasPrefix("_") }.sorted()
    }

    /// Returns the program `table.py` or `books.py`, which reads several formats.
    static func reader(_ name: String) -> FormatProgram { FormatProgram("\(folder ?? "Formats")/\(name).py") }

    /// Returns the program of a name, or any other by its path.
    static func program(_ name: String) throws(HarnessError) -> FormatProgram {
        if name.contains("/") { return FormatProgram(name) }
        guard let folder else {
            throw .configuration("programs of formats not found; set SPINEBENCH_FORMATS to their folder")
        }
        guard names.contains(name) else {
            throw .configuration(
                "unknown format \"\(name)\"; \(NearName.hint(for: name, among: names)); a program of your own has a \"/\" in its path"
            )
        }
        return FormatProgram("\(folder)/\(name)")
    }
}
