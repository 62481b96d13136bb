import Foundation
import Imaging
import Testing

struct QuadTests {
    @Test
    func aQuadIsFourPairsOfNumbers() throws {
        let text = "[[1,2],[3,2],[3,4],[1,4.5]]"
        let quad = try JSONDecoder().decode(Quad.self, from: Data(text.utf8))
        #expect(quad.topRight == Point(x: 3, y: 2))
        #expect(quad.bottomLeft == Point(x: 1, y: 4.5))
        #expect(try String(decoding: JSONEncoder().encode(quad), as: UTF8.self) == text)
    }

    @Test(arguments: ["[]", "[[1,2],[3,2],[3,4]]", "[[1,2],[3,2],[3,4],[1]]", "[[1,2],[3,2],[3,4],[1,4],[0,0]]", "{}"])
    func anythingElseIsRefused(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Quad.self, from: Data(text.utf8)) }
    }
}
