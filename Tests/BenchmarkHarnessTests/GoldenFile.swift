import Foundation
import Testing

/// A text that was approved, under Fixtures.
struct GoldenFile {
    private let name: String

    init(_ name: String) { self.name = name }

    /// Expects `text` to be as it was approved, line by line; with SPINEBENCH_WRITE_GOLDEN set, approves it.
    func expect(_ text: String) throws {
        if ProcessInfo.processInfo.environment["SPINEBENCH_WRITE_GOLDEN"] != nil {
            let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/" + name)
            try Data(text.utf8).write(to: url)
        }
        let golden = try #require(Bundle.module.url(forResource: "Fixtures/" + name, withExtension: nil))
        let approved = try String(contentsOf: golden, encoding: .utf8)
        let expected = approved.split(separator: "\n", omittingEmptySubsequences: false)
        let found = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, (found, expected)) in zip(found, expected).enumerated() {
            #expect(found == expected, "\(name), line \(index + 1)")
        }
        #expect(found.count == expected.count)
    }
}
