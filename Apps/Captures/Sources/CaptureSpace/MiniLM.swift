import Basics
import CMiniLM
import Foundation
import OpenVINOEngine

/// The sentence embedding all-MiniLM-L6-v2 with int8 weights, computed in f32: the same on every processor but for the
/// last digits.
///
/// A text's vector is the mean of its tokens' vectors, of length 1. The model's file is mapped, and not compiled: a text of
/// ten words takes 5 ms, the first one too. OpenVINO takes 2 ms, and 300 to compile it, or 90 to load what was compiled; it
/// rounds a layer's input to 8 bits on processors with instructions for these.
///
/// Source: sentence-transformers/all-MiniLM-L6-v2 (its `1_Pooling/config.json`: mean of tokens, then normalized;
/// trained with 128 tokens at most); Reimers and Gurevych, "Sentence-BERT", EMNLP 2019; Wang et al., "MiniLM",
/// NeurIPS 2020; the network's form is that of Devlin et al., "BERT", NAACL 2019.
package struct MiniLM: Sendable {
    /// Name of the space, stored with every vector, with the first digits of the model file's SHA-256: vectors of different
    /// names are never compared.
    package static let name = "all-minilm-l6-v2-int8-8199be6f"
    package static let dimensions = MINILM_WIDTH
    /// Minimum cosine of a result with its query: it costs 0.011 of NDCG@10 on the labelled questions, and hides two fifths of the unrelated
    /// results.
    ///
    /// Chosen on `Datasets/context-retrieval`.
    package static let leastCosine: Float = 0.2
    /// Minimum cosine for a query without a word that the vocabulary has whole ("qwxzv blorf"): of 50 such, the nearest
    /// of the 150 items of the check is at 0.34.
    private static let leastOfUnknown: Float = 0.35
    /// Minimum cosine of two texts about the same subject.
    package static let leastAlike: Float = 0.5
    static let modelFile = "minilm-l6-int8.onnx"
    static let vocabularyFile = "minilm-vocab.txt"
    /// Tokens of a text at most.
    static let mostTokens = 128

    private let tokenizer: WordPieceTokenizer
    private let file: Data
    /// Places of the tensors of 8 bits in the file, in the network's order.
    private let weights: [Int]
    /// The other tensors, in the order of their use.
    private let numbers: [Float]

    /// Reads the vocabulary, and of the model all but the tensors of 8 bits.
    package init(folder: String) throws(CaptureSpaceError) {
        let path = "\(folder)/\(Self.modelFile)"
        func unsuitable(_ found: String) -> CaptureSpaceError {
            .networkUnsuitable(path: path, expected: "all-MiniLM-L6-v2 with weights of 8 bits", found: found)
        }
        tokenizer = try WordPieceTokenizer(vocabularyPath: "\(folder)/\(Self.vocabularyFile)")
        do { file = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped) } catch {
            throw unsuitable(error.systemReason)
        }
        let constants = file.withUnsafeBytes { NetworkFile.constants(of: $0) }
        let tensors = constants.filter { $0.name.hasSuffix("_q") }
        guard tensors.map(\.values.count) == Self.sizes, tokenizer.count <= MINILM_WORDS else {
            throw unsuitable("\(tensors.count) such tensors, \(tokenizer.count) words")
        }
        let places = Dictionary(constants.map { ($0.name, $0.values) }) { first, _ in first }
        var numbers: [Float] = []
        for (name, count) in Self.names(of: tensors.map { String($0.name.dropLast(2)) }) {
            guard let place = places[name], place.count >= 4 * count else { throw unsuitable("no \(name)") }
            numbers += file.withUnsafeBytes { bytes in
                [Float](unsafeUninitializedCapacity: count) { values, made in
                    UnsafeMutableRawBufferPointer(values).copyMemory(
                        from: .init(rebasing: bytes[place.prefix(4 * count)])
                    )
                    made = count
                }
            }
        }
        (weights, self.numbers) = (tensors.map(\.values.lowerBound), numbers)
    }

    /// Sizes of the tensors of 8 bits: words, places, and six of each layer.
    private static let sizes =
        [MINILM_WORDS * MINILM_WIDTH, MINILM_PLACES * MINILM_WIDTH]
        + (0..<6 * MINILM_LAYERS).map { MINILM_WIDTH * ($0 % 6 < 4 ? MINILM_WIDTH : MINILM_INNER) }

    /// Returns the names and sizes of the other tensors in the order of their use, by the names of those of 8 bits.
    private static func names(of tensors: [String]) -> [(name: String, count: Int)] {
        func norm(_ part: String) -> [(String, Int)] {
            ["weight", "bias"].map { ("inner.\(part).LayerNorm.\($0)", MINILM_WIDTH) }
        }
        var names = [("\(tensors[0])_scale", MINILM_WORDS), ("\(tensors[1])_scale", MINILM_PLACES)]
        names += [("inner.embeddings.token_type_embeddings.weight", MINILM_WIDTH)] + norm("embeddings")
        let parts =
            ["self.query", "self.key", "self.value", "output"].map { "attention.\($0)" } + ["intermediate", "output"]
        for tensor in 0..<6 * MINILM_LAYERS {
            let part = "encoder.layer.\(tensor / 6).\(parts[tensor % 6])"
            let count = tensor % 6 == 4 ? MINILM_INNER : MINILM_WIDTH
            let dense = tensor % 6 < 3 ? part : "\(part).dense"
            names += [("\(tensors[tensor + 2])_scale", count), ("inner.\(dense).bias", count)]
            if part.hasSuffix("output") { names += norm(part) }
        }
        return names
    }

    /// Returns the minimum cosine of a result with a query: higher than ``leastCosine`` for one without a known word.
    package func leastCosine(of query: String) -> Float {
        tokenizer.knowsWord(of: query) ? Self.leastCosine : Self.leastOfUnknown
    }

    /// Returns the vector of a text's first 126 pieces of words; the text is read in any language and understood in
    /// English.
    ///
    /// - Returns: 384 values of length 1; of an empty text, too, those of the two tokens around it.
    package func embed(_ text: String) -> [Float] {
        let tokens = tokenizer.tokens(of: text, limit: Self.mostTokens)
        let sum = file.withUnsafeBytes { bytes in
            let weights = weights.map { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: Int8.self) }
            return withUnsafeTemporaryAllocation(of: Float.self, capacity: tokens.count * MINILM_ROOM) { room in
                [Float](unsafeUninitializedCapacity: Self.dimensions) { sum, count in
                    minilm_sum(weights, numbers, tokens, Int32(tokens.count), room.baseAddress, sum.baseAddress)
                    count = Self.dimensions
                }
            }
        }
        return VectorMath.normalized(sum)
    }
}
