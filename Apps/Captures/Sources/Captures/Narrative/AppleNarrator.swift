#if canImport(FoundationModels)
import FoundationModels

/// The language model of Apple's system, on the device.
///
/// Written against the published interface of FoundationModels (macOS and iOS 26); it was never compiled here.
@available(macOS 26, iOS 26, visionOS 26, *)
package enum AppleNarrator {
    /// Returns a narrator by the model; nil where the system has none, or has switched it off.
    package static func make() -> (any NarrativeGenerator)? {
        guard case .available = SystemLanguageModel.default.availability else { return nil }
        // Which one it is changes with the system.
        return ModelNarrator(name: "Apple's language model") { instructions, facts in
            try await LanguageModelSession(instructions: instructions).respond(to: facts).content
        }
    }
}
#endif
