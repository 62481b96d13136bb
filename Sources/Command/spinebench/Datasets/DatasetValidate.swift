import ArgumentParser
import SpineDatasets

/// `spinebench dataset validate`: finds everything that is wrong with datasets.
struct DatasetValidate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Finds everything that is wrong with a dataset.",
        discussion: """
            Reads every label, then decodes every picture, and lists all faults with file and line. Warnings are about \
            what a dataset may have and an evaluation should know; they do not change the exit code.

            A dataset is a folder with samples.jsonl, one JSON object a line, and the pictures (PNG or JPEG) it names:

              {"id": "p1", "image": "images/p1.jpg", "category": "vertical", "title": "The Hobbit",
               "author": "J.R.R. Tolkien", "transcription": "J.R.R. TOLKIEN THE HOBBIT", "orientation": "cw"}

            category     \(SampleCategory.allCases.map(\.rawValue).joined(separator: ", "))
            orientation  \(SampleOrientation.allCases.map(\.rawValue).joined(separator: ", "))
            optional     author, isbn, acceptedTitles, group, split, legible, language, style, difficulty, source, \
                          licence
            in pixels    outline (of the spine in its picture, four points [x, y]), lines (each text, or an object with \
            text, role, quad, font, size), quad (where the picture lay in the photo that it was cut from)
            role         \(LineRole.allCases.map(\.rawValue).joined(separator: ", "))

            Pictures of whole shelves stand in shelves.jsonl, beside it or alone:

              {"id": "s1", "image": "shelves/s1.jpg", "books": [{"title": "The Hobbit", "quad": [[9, 4], [61, 4], …]}]}

            Other fields are ignored. dataset.json (name, version, licence, description, contentDigest) is optional.

            Exit codes: 0 no fault, 2 a fault.
            """
    )

    @Argument(help: "The datasets' folders.", completion: .directory)
    var paths: [String]

    func run() throws {
        var failure: DatasetError?
        for path in paths {
            do throws(DatasetError) {
                let dataset = try DatasetLoader().load(path)
                DatasetText.tell(dataset.warnings)
                print(DatasetText.summary(dataset))
                print(dataset.digest)
                if dataset.manifest.contentDigest == nil {
                    Console.standardError(
                        "Nothing would tell that \(path) was changed: spinebench dataset digest \(path) --write"
                    )
                }
            } catch {
                if let failure { Console.error("\(failure)") }
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
