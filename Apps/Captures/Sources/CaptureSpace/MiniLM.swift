import Foundation
import OpenVINOEngine
import Synchronization

/// The sentence embedding all-MiniLM-L6-v2 with int8 weights, in OpenVINO on the CPU.
///
/// A text's vector is the mean of its tokens' vectors, of length 1. Texts are padded to one of a few lengths, for
/// each of which the network is compiled when the first text of it comes (about 0.2 s).
///
/// Source: sentence-transformers/all-MiniLM-L6-v2 (its `1_Pooling/config.json`: mean of tokens, then normalized;
/// trained with 128 tokens at most); Reimers and Gurevych, "Sentence-BERT", EMNLP 2019; Wang et al., "MiniLM",
/// NeurIPS 2020.
package final class MiniLM: TextEmbedder {
    /// The name has the first digits of the model file's SHA-256.
    package let name = "all-minilm-l6-v2-int8-8199be6f"
    package let dimensions = 384
    /// Minimum cosine: it costs 0.011 of NDCG@10 on the labelled questions, and hides two fifths of the unrelated
    /// results.
    ///
    /// Chosen on `Datasets/context-retrieval`.
    package let leastCosine: Float = 0.2
    /// Minimum cosine for a query without a word that the vocabulary has whole ("qwxzv blorf"): of 50 such, the nearest
    /// of the 150 items of the check is at 0.34.
    private static let leastOfUnknown: Float = 0.35
    package let knowsMeaning = true
    package let leastAlike: Float = 0.5
    static let modelFile = "minilm-l6-int8.onnx"
    static let vocabularyFile = "minilm-vocab.txt"
    /// Tokens of a text at most.
    static let mostTokens = 128

    /// Lengths in tokens that the network is compiled for: a title, a sentence, a paragraph, the most.
    private static let lengths = [16, 32, 64, 128]

    /// The parts that one thread uses at a time.
    private struct Networks: ~Copyable {
        let file: NetworkFile
        var loaded: [Int: LoadedNetwork] = [:]
    }

    private let tokenizer: WordPieceTokenizer
    private let path: String
    private let networks: Mutex<Networks>

    /// Reads the model and its vocabulary; nothing is compiled yet.
    package init(folder: String, threads: Int = 1) throws {
        tokenizer = try WordPieceTokenizer(vocabularyPath: "\(folder)/\(Self.vocabularyFile)")
        path = "\(folder)/\(Self.modelFile)"
        // f32 everywhere: the same text is to have the same vector on processors with bf16 and without.
        let file = try NetworkLoader(threads: threads, precision: .f32).read(path)
        guard file.inputs.map(\.name) == Self.inputs else {
            throw CaptureSpaceError.networkUnsuitable(
                path: path,
                expected: "the inputs \(Self.inputs.joined(separator: ", "))",
                found: file.inputs.map(\.name).joined(separator: ", ")
            )
        }
        networks = Mutex(Networks(file: file))
    }

    package func leastCosine(of query: String) -> Float {
        tokenizer.knowsWord(of: query) ? leastCosine : Self.leastOfUnknown
    }

    private static let inputs = ["input_ids", "attention_mask", "token_type_ids"]

    /// Returns the vector of a text's first 126 pieces of words; the text is read in any language and understood in
    /// English.
    ///
    /// - Returns: 384 values of length 1; of an empty text, too, those of the two tokens around it.
    package func embed(_ text: String) throws -> [Float] {
        let tokens = tokenizer.tokens(of: text, limit: Self.mostTokens)
        let length = Self.lengths.first { $0 >= tokens.count } ?? Self.mostTokens
        let padding = length - tokens.count
        let ids = tokens.map(Int64.init) + [Int64](repeating: 0, count: padding)
        let mask = [Int64](repeating: 1, count: tokens.count) + [Int64](repeating: 0, count: padding)
        let types = [Int64](repeating: 0, count: length)
        let output = try networks.withLock { networks in
            if let network = networks.loaded[length] { return try network.infer([ids, mask, types]) }
            let shapes = [[Int]](repeating: [1, length], count: 3)
            let network = try networks.file.load(shapes: shapes)
            networks.loaded[length] = network
            return try network.infer([ids, mask, types])
        }
        guard output.dimensions == [1, length, dimensions] else {
            throw CaptureSpaceError.networkUnsuitable(
                path: path,
                expected: "an output of 1×\(length)×\(dimensions)",
                found: output.dimensions.map(String.init).joined(separator: "×")
            )
        }
        var sum = [Float](repeating: 0, count: dimensions)
        for token in 0..<tokens.count {
            for index in 0..<dimensions { sum[index] += output.values[token * dimensions + index] }
        }
        return VectorMath.normalized(sum)
    }
}
