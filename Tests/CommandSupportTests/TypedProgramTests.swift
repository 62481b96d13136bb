import Testing

@testable import CommandSupport

/// What a text says works where it is typed.
@Suite struct TypedProgramTests {
    @Test(
        arguments: [
            ("spinebench", "spinebench"), (".build/release/spinebench", ".build/release/spinebench"),
            ("/my tools/spinebench", "'/my tools/spinebench'"), ("/x/Tests.xctest", "spinebench"),
        ]
    )
    func commandsBeginWithTheProgramAsItWasCalled(called: String, program: String) {
        let text = "Next: spinebench run --suite spinebench.yaml; spinebench gate RUN".typed(by: called)
        #expect(text == "Next: \(program) run --suite spinebench.yaml; \(program) gate RUN")
    }
}
