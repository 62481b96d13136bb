import TesseractEngine
import Testing

@Suite struct TesseractInstallationTests {
    @Test func installationSaysVersionAndLanguages() throws {
        let found = try TesseractInstallation.find()
        #expect(found.version.hasPrefix("5."))
        #expect(found.languages.contains("eng"))
        #expect(!found.dataPath.isEmpty)
        #expect(try TesseractSpineReader().installation == found)
    }

    @Test func missingLanguageIsNamedWithWhatToDo() throws {
        let error = #expect(throws: TesseractError.self) { try TesseractInstallation.find(languages: "tlh") }
        guard case .languagesMissing(let languages, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(languages == "tlh")
        #expect(error?.description.contains("make setup") == true)
    }

    @Test func missingDataFolderIsNamed() throws {
        let folder = "/nowhere/tessdata"
        let error = #expect(throws: TesseractError.self) { try TesseractSpineReader(dataPath: folder) }
        #expect(error?.description.contains(folder) == true)
    }
}
