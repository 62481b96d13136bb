/// Intents by the nearest of example texts in the space of an embedding, with the words of ``Intent``.
///
/// A class scores the mean of its three nearest examples' cosines, and a little for each of its words in the text;
/// texts of no intent are a class of their own. The best class is reported when it is far enough above the second.
///
/// Source: prototypes as in Snell, Swersky and Zemel, "Prototypical networks for few-shot learning", NeurIPS 2017,
/// with the nearest examples in place of the mean, as a class has several subjects.
package struct IntentPrototypes: Sendable {
    private var examples: ContextIndex<Int>
    private var classes: [Intent?] = []
    private let embedder: any TextEmbedder

    /// Least score of the best class, and least distance to the second: chosen on `intents.tsv` and
    /// `intents-tuning.tsv` of the tests.
    package static let leastScore: Float = 0.2
    package static let leastMargin: Float = 0.06
    /// Score of a word of the class; at most three count.
    static let word: Float = 0.05

    package init(_ embedder: any TextEmbedder) throws {
        self.embedder = embedder
        examples = ContextIndex(space: embedder.name, dimensions: embedder.dimensions)
        for (intent, text) in Self.texts {
            try examples.update(classes.count, vector: embedder.embed(text))
            classes.append(intent)
        }
    }

    /// Returns the intent of a text; nil for none.
    package func intent(of text: String) throws -> Intent? {
        let ranked = try scores(of: text)
        guard let best = ranked.first, let intent = best.intent, best.score >= Self.leastScore else { return nil }
        return best.score - (ranked.dropFirst().first?.score ?? 0) >= Self.leastMargin ? intent : nil
    }

    /// Returns the classes of a text with their scores, the best first; "None" for texts without an intent.
    package func ranked(_ text: String) throws -> [(name: String, score: Float)] {
        try scores(of: text).map { ($0.intent?.rawValue ?? "None", $0.score) }
    }

    /// Returns the classes with their scores, the best first; nil for the class of texts without an intent.
    func scores(of text: String) throws -> [(intent: Intent?, score: Float)] {
        let vector = try embedder.embed(text)
        let matches = try examples.nearest(to: vector, count: classes.count)
        let words = WordStem.words(of: text)
        return ([nil] + Intent.allCases).map { intent in
            let near = matches.lazy.filter { classes[$0.id] == intent }.prefix(3).map(\.cosine)
            let found = intent.map { Float(min(3, $0.stems.intersection(words).count)) } ?? 0
            return (intent, near.reduce(0, +) / 3 + Self.word * found)
        }.sorted { $0.score > $1.score }
    }

    /// Examples of `intent-examples.tsv`: an intent, or "None", and a text in each line.
    private static var texts: [(intent: Intent?, text: String)] {
        String(decoding: PackageResources.intent_examples_tsv, as: UTF8.self).split(separator: "\n").map { line in
            let parts = line.split(separator: "\t", maxSplits: 1)
            return (Intent(rawValue: String(parts[0])), String(parts[1]))
        }
    }
}
