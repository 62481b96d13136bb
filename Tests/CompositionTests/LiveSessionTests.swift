import Foundation
import Testing

@testable import Composition

@Suite struct LiveSessionTests {
    @Test func drawnFramesShowEachSpineAndThePlaceBetween() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Datasets/spines-1")
        let spines = try SpineLabel.spines(SpineLabel.read(path.path), in: path.standardizedFileURL.path)
        let views = try PannedSpines(Array(spines.prefix(2)), seed: 1).views
        #expect(Set(views.map(\.spine)) == [0, 1] && views.map(\.spine) == views.map(\.spine).sorted())
        #expect(!views[0].isInView && !views[views.count - 1].isInView)
        // A rest of a second at least before each.
        for spine in 0...1 { #expect(views.count { $0.spine == spine && $0.isInView } >= 30) }
    }
}
