import BookCatalogue
import Testing

@Suite struct BookCatalogueTests {
    @Test func aBookIsFoundByItsTitle() throws {
        let catalogue = try BookCatalogue(books: [BookRecord(title: "Dune", authors: ["Frank Herbert"])], name: "one")
        #expect(try catalogue.search("dune").map(\.title) == ["Dune"])
        #expect(try catalogue.search("herbert dune").map(\.id) == [1])
    }
}
