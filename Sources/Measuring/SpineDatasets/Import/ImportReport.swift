/// Report of an import.
package struct ImportReport: Sendable {
    package var format: ImportFormat
    /// The labels that were read.
    package var files: [String]
    /// As the caller named it.
    package var source: String
    package var date: String
    package var samples: Int
    package var shelves: Int
    /// On all shelves.
    package var books: Int
    /// Remarks on how the labels were understood.
    package var remarks: [String]
    package var notes: [ImportNote: Int]
    package var leftOut: BadRecords
    /// As it will be loaded; nil while it is being written.
    package var dataset: Dataset?

    /// Sentences on what was derived, guessed and left out, guesses first.
    package var sentences: [String] {
        let order = ImportNote.allCases.filter(\.isGuess) + ImportNote.allCases.filter { !$0.isGuess }
        return order.compactMap { note in notes[note].map { note.sentence($0) } }
    }

    /// "78 spines", "4 shelves with 31 spines", or both.
    package var contents: String {
        func of(_ count: Int, _ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
        let parts = [
            samples > 0 ? of(samples, "spine", "spines") : nil,
            shelves > 0 ? "\(of(shelves, "shelf", "shelves")) with \(of(books, "spine", "spines"))" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: " and ")
    }

    /// The dataset's `CARD.md`.
    func card(_ manifest: DatasetManifest) -> String {
        func items(_ texts: [String]) -> String { texts.map { "* \($0)\n" }.joined() }
        func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
        let labels =
            files.count == 1
            ? "`\(name(files[0]))`" : "\(files.count) files, `\(name(files[0]))` to `\(name(files[files.count - 1]))`"
        var text = """
            # \(manifest.name)

            \(contents), licence \(manifest.licence ?? "not stated").

            ## Where it comes from

            Imported on \(date) from \(format.label): \(labels) in `\(name(source))`.

            """
        if !remarks.isEmpty { text += "\nHow the labels were understood:\n\n" + items(remarks) }
        text += "\n## What was done to the labels and pictures\n\n"
        text += sentences.isEmpty ? "Nothing.\n" : items(sentences)
        if !leftOut.isEmpty {
            let faults = leftOut.lines.map { "`\($0.replacing(source + "/", with: ""))`" }
            text += "\n## Left out\n\n\(leftOut.count) bad record\(leftOut.count == 1 ? "" : "s"):\n\n"
            text += items(faults)
        }
        return text
    }
}
