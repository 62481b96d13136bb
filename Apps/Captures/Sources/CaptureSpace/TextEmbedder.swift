/// Converter of texts into vectors whose cosines measure their similarity in meaning or spelling.
package protocol TextEmbedder: Sendable {
    /// Name of the space, stored with every vector: vectors of different names are never compared.
    ///
    /// It changes when the same text would get another vector.
    var name: String { get }
    /// Values of a vector.
    var dimensions: Int { get }

    /// Minimum cosine of a result with its query.
    var leastCosine: Float { get }

    /// Returns the minimum cosine of a result with a query: higher than ``leastCosine`` for one without a known word.
    func leastCosine(of query: String) -> Float

    /// Whether near vectors mean the same, and are not merely spelled alike.
    var knowsMeaning: Bool { get }

    /// Minimum cosine of two texts about the same subject.
    var leastAlike: Float { get }

    /// Returns the vector of a text.
    ///
    /// - Returns: ``dimensions`` values of length 1 in the Euclidean norm; all 0 for a text without anything to go by.
    func embed(_ text: String) throws -> [Float]
}

extension TextEmbedder {
    package func leastCosine(of query: String) -> Float { leastCosine }
}

package enum VectorMath {
    /// Returns the product of two vectors, which is their cosine when both have length 1.
    ///
    /// - Precondition: Both have the same number of values.
    package static func dot(_ first: [Float], _ second: [Float]) -> Float {
        precondition(first.count == second.count, "vectors of one space have the same number of values")
        return first.withUnsafeBufferPointer { first in
            second.withUnsafeBufferPointer { dot($0, first) }
        }
    }

    /// Returns a vector in its direction of length 1; one of length 0 as it is.
    package static func normalized(_ vector: [Float]) -> [Float] {
        let length = dot(vector, vector).squareRoot()
        guard length > 0 else { return vector }
        return vector.map { $0 / length }
    }

    /// Returns the product of as many values of `second` as `first` has.
    ///
    /// Four sums of eight lanes each: one alone would wait for itself at every step.
    static func dot(_ first: UnsafeBufferPointer<Float>, _ second: UnsafeBufferPointer<Float>) -> Float {
        let count = first.count
        let (a, b) = (UnsafeRawBufferPointer(first), UnsafeRawBufferPointer(second))
        var (sum0, sum1, sum2, sum3) = (Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
        let step = MemoryLayout<Lanes>.size
        var offset = 0
        let end = count / (4 * Lanes.scalarCount) * 4 * step
        while offset < end {
            sum0 += a.lanes(at: offset) * b.lanes(at: offset)
            sum1 += a.lanes(at: offset + step) * b.lanes(at: offset + step)
            sum2 += a.lanes(at: offset + 2 * step) * b.lanes(at: offset + 2 * step)
            sum3 += a.lanes(at: offset + 3 * step) * b.lanes(at: offset + 3 * step)
            offset += 4 * step
        }
        var sum = ((sum0 + sum1) + (sum2 + sum3)).sum()
        for index in end / MemoryLayout<Float>.size..<count { sum += first[index] * second[index] }
        return sum
    }
}

private typealias Lanes = SIMD8<Float>

extension UnsafeRawBufferPointer {
    fileprivate func lanes(at offset: Int) -> Lanes { loadUnaligned(fromByteOffset: offset, as: Lanes.self) }
}

package enum CaptureSpaceError: Error, Sendable, Equatable, CustomStringConvertible {
    case vocabularyUnreadable(path: String, reason: String)
    case tokenMissing(String)
    case networkUnsuitable(path: String, expected: String, found: String)
    case dimensionsDiffer(expected: Int, found: Int)
    case spacesDiffer(expected: String, found: String)
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
        case .spacesDiffer(let expected, let found):
            "a vector belongs to the space \(found), not to \(expected); embed the text again"
        case .notFinite: "invalid vector or weight: expected numbers, and a weight above 0"
        case .weightsDamaged(let line):
            "invalid weights of intents, line \(line): expected a name and a number per dimension; run research/intents.py"
        }
    }
}
