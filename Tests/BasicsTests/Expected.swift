import Foundation
import Testing

/// Values that other tools computed; see Fixtures/README.md.
struct Expected: Decodable {
    struct Fold: Decodable {
        var text: String
        var words: [String]
    }
    struct Distance: Decodable {
        var a: String
        var b: String
        var distance: Int
        var similarity: Double
    }
    struct Errors: Decodable {
        var reference: String
        var hypothesis: String
        var wordErrors: Int
        var wordReference: Int
        var wer: Double
        var characterErrors: Int
        var characterReference: Int
        var cer: Double
    }
    struct Wilson: Decodable {
        var successes: Int
        var trials: Int
        var lower: Double
        var upper: Double
    }

    var fold: [Fold]
    var distance: [Distance]
    var errors: [Errors]
    var pooledWER: Double
    var wilson: [Wilson]

    static func load() throws -> Expected {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/expected", withExtension: "json"))
        return try JSONDecoder().decode(Expected.self, from: Data(contentsOf: url))
    }
}
