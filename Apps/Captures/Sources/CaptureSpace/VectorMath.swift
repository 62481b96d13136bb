import CMiniLM

package enum VectorMath {
    /// Returns the product of two vectors, which is their cosine when both have length 1.
    ///
    /// - Precondition: Both have the same number of values.
    package static func dot(_ first: [Float], _ second: [Float]) -> Float {
        precondition(first.count == second.count, "vectors of one space have the same number of values")
        var product: Float = 0
        minilm_products(first, 1, second, Int32(second.count), &product)
        return product
    }

    /// Returns the product of each row of `rows`, of as many values as the vector has each, with the vector.
    static func dots(of rows: [Float], with vector: [Float]) -> [Float] {
        [Float](unsafeUninitializedCapacity: rows.count / vector.count) { products, count in
            count = rows.count / vector.count
            minilm_products(rows, Int32(count), vector, Int32(vector.count), products.baseAddress)
        }
    }

    /// Returns a vector in its direction of length 1; one of length 0 as it is.
    package static func normalized(_ vector: [Float]) -> [Float] {
        let length = dot(vector, vector).squareRoot()
        guard length > 0 else { return vector }
        return vector.map { $0 / length }
    }
}

package enum CaptureSpaceError: Error, Sendable, Equatable, CustomStringConvertible {
    case vocabularyUnreadable(path: String, reason: String)
    case tokenMissing(String)
    case networkUnsuitable(path: String, expected: String, found: String)
    case dimensionsDiffer(expected: Int, found: Int)
    case notFinite
    case weightsDamaged(line: Int)

    package var description: String {
        switch self {
        case .vocabularyUnreadable(let path, let reason):
            "cannot read the vocabulary \(path): \(reason); run 'make setup' to fetch it"
        case .tokenMissing(let token):
            "the vocabulary has no \(token); run 'make setup' to fetch that of bert-base-uncased"
        case .networkUnsuitable(let path, let expected, let found):
            "invalid model \(path): expected \(expected), found \(found); run 'make setup' to fetch it again"
        case .dimensionsDiffer(let expected, let found):
            "a vector has \(found) values, but the space has \(expected); embed the text again"
        case .notFinite: "invalid vector or weight: expected numbers, and a weight above 0"
        case .weightsDamaged(let line):
            "invalid weights of intents, line \(line): expected a name and a number per dimension; run research/intents.py"
        }
    }
}
