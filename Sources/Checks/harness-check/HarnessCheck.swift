import ArgumentParser

@main
struct HarnessCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "harness-check",
        abstract: "Measures whether the harness itself is right: its statistics, its scoring, its gates.",
        subcommands: [
            GateCheck.self,
            CoverageCheck.self,
            SamplesCheck.self,
            ScoringCheck.self,
            OverheadCheck.self,
        ]
    )
}
