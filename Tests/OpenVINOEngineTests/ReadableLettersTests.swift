import Testing

@testable import OpenVINOEngine

@Suite struct ReadableLettersTests {
    @Test func whatIsLackingIsNamed() {
        let plain = ReadableLetters(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZäöüßÄÖÜαει".map(String.init) + [""]
        )
        #expect(plain.count == 62)
        #expect(plain.scripts == ["Latin", "Greek in part"])
        #expect(plain.missingScripts.contains("Cyrillic") && !plain.missingScripts.contains("Greek"))
        let lacking = Dictionary(uniqueKeysWithValues: plain.incompleteLanguages.map { ($0.name, $0.letters) })
        #expect(
            lacking["German"] == nil && lacking["Polish"]?.first == "ą" && lacking["Estonian"]?.contains("ä") == false
        )
    }

    /// Expected values from the list of characters in the models' metadata, searched with Python.
    @Test(.enabled(if: RealNetworks.areThere, RealNetworks.reason))
    func theModelsLackWhatTheManualSays() throws {
        let directory = try #require(RealNetworks.directory)
        func letters(_ models: OpenVINOModelSet, _ alphabet: RecognitionAlphabet) throws -> ReadableLetters {
            try ReadableLetters(OpenVINOEngine.characters(of: models, alphabet: alphabet, modelDirectory: directory))
        }
        let latin = try letters(.ppOCRv6Small, .latin)
        #expect(latin.count == 562 && latin.scripts == ["Latin"])
        #expect(
            latin.incompleteLanguages.map(\.name) == [
                "Arabic (romanised)", "Igbo", "Sanskrit (romanised)", "Vietnamese", "Welsh", "Yoruba",
            ]
        )
        let vietnamese = try #require(latin.incompleteLanguages.first { $0.name == "Vietnamese" }).letters
        #expect(vietnamese.contains("ễ") && !vietnamese.contains("đ") && !vietnamese.contains("ồ"))
        let all = try letters(.ppOCRv6Small, .all)
        #expect(all.scripts == ["Latin", "Greek in part", "Chinese", "Japanese"])
        #expect(try letters(.ppOCRv4Mobile, .latin).incompleteLanguages.contains { $0.name == "German" })
    }
}
