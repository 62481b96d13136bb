extension BookCatalogue {
    /// The catalogue that needs no file: the books of the datasets that come with the project.
    ///
    /// Their list is made by `spinebench catalogue build --out Sources/BookCatalogue/Resources/labelled.csv --from-dataset
    /// Datasets/spines-1 Datasets/shelves-1`.
    ///
    /// - Throws: ``CatalogueError`` when there is no room.
    public static func embedded() throws -> BookCatalogue {
        var builder = CatalogueBuilder(name: "embedded")
        let list = PackageResources.labelled_csv
        _ = try list.withUnsafeBufferPointer {
            try builder.add($0, path: "labelled.csv", limit: nil, progress: { _, _ in })
        }
        return try builder.inMemory()
    }
}
