import ArgumentParser
import BookCatalogue
import CommandSupport
import VisualSearch

/// Options of the commands that show results.
struct FindOptions: ParsableArguments {
    private static let languages = EntityWords.languages.joined(separator: ", ")

    @Option(help: .value("code", "Language of names and editions: \(languages)."))
    var language = "en"

    @Option(help: .value("file", "Catalogue file; “embedded” for the built-in one."))
    var catalogue = BookCatalogue.embeddedName

    @OptionGroup var library: LibraryOptions

    func validate() throws {
        guard !EntityWords.languages.contains(language) else { return }
        throw ValidationError("Invalid --language '\(language)': expected one of \(Self.languages).")
    }
}
