import ArgumentParser

@main
struct CatalogueCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue-check",
        abstract: "Measures how well and how fast the catalogue's matcher names books.",
        subcommands: [FeaturesCheck.self]
    )
}
