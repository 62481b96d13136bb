import TestSupport
import Testing

/// Layer over Apple's frameworks, whose types are checked with stand-ins on systems without the frameworks.
///
/// Not checked: the additions of the macros `@UnionValue` and `@AppIntent(schema:)` add, the metadata that Xcode
/// makes, and the system's calls.
@Suite(.inTurns) struct AppleLayerTests {
    #if !canImport(VisualIntelligence)
    @Test(
        .enabled(if: TypeChecker.compiler != nil, "there is no swiftc in PATH"),
        arguments: [
            ("", ""), ("search.page(for: ContentDescriptor(input))", "search.page(of: 7)"),
            ("var target: ShelfItem", "var target: Int"),
        ]
    )
    func typesFit(text: String, replacement: String) throws {
        let folder = try TemporaryFolder()
        try TypeChecker.makeStandIns(["CoreVideo", "CoreImage", "VisualIntelligence", "AppIntents"], in: folder)
        let call = try TypeChecker.checkModule("AppleVisualSearch", standIns: folder) { source in
            source.replacing("@UnionValue\n", with: "")
                .replacing("@AppIntent(schema: .visualIntelligence.semanticContentSearch)\n", with: "")
                .replacing(
                    "public struct MoreResultsIntent {",
                    with: """
                        public struct MoreResultsIntent: AppIntent {
                            public static let title: LocalizedStringResource = ""
                            public init() { fatalError() }
                        """
                )
                .replacing(text.isEmpty ? "\u{0}" : text, with: replacement)
        }
        // The check reports an inserted mistake.
        #expect(call.isFine == text.isEmpty, "\(call.errors)")
    }
    #endif
}
