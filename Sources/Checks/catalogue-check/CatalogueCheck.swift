import ArgumentParser

@main
struct CatalogueCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue-check",
        abstract: "Measures how well and how fast the catalogue's matcher names books.",
        subcommands: [MatcherCheck.self, SpinesCheck.self, NoiseCheck.self, GrowthCheck.self]
    )
}
