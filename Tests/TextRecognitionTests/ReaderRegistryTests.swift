import Testing
import TextRecognition

@Suite struct ReaderRegistryTests {
    private struct NoReader: Error {}

    private func variant(_ name: String, _ engine: String, problem: String? = nil) -> ReaderVariant {
        ReaderVariant(name: name, engine: engine, summary: "", problem: { problem }, load: { throw NoReader() })
    }

    @Test func variantIsFoundByItsNameAndByItsEngine() {
        let registry = ReaderRegistry([variant("fast", "x"), variant("accurate", "x"), variant("other", "y")])
        #expect(registry["accurate"]?.engine == "x")
        #expect(registry["slow"] == nil)
        #expect(registry.variant(ofEngine: "x")?.name == "fast")
        #expect(registry.variant(ofEngine: "z") == nil)
        #expect(registry.engines == ["x", "y"])
    }

    @Test func emptyRegistryHasNothing() {
        #expect(ReaderRegistry([]).engines.isEmpty)
    }

    @Test func variantSaysWhatItLacks() {
        #expect(variant("fast", "x", problem: "no models").problem() == "no models")
        #expect(throws: NoReader.self) { try variant("fast", "x").load() }
    }
}
