import ArgumentParser

/// Commands about catalogues of books.
struct CatalogueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue",
        abstract: "Builds and searches catalogues of books.",
        subcommands: [CatalogueBuild.self, CatalogueInfo.self, CatalogueSearch.self]
    )
}
