/// Converter of texts into vectors whose cosines measure their similarity in meaning or spelling.
public protocol TextEmbedder: Sendable {
    /// Name of the space, stored with every vector: vectors of different names are never compared.
    ///
    /// It changes when the same text would get another vector.
    var name: String { get }
    /// Values of a vector.
    var dimensions: Int { get }

    /// Minimum cosine between a query and a related text.
    var leastCosine: Float { get }

    /// Returns the vector of a text.
    ///
    /// - Parameter text: Any text; the embedder ignores unsupported parts, such as the end of a long one.
    /// - Returns: ``dimensions`` values of length 1 in the Euclidean norm; all 0 for a text without anything to go by.
    /// - Throws: The embedder's own errors; the same text gives the same vector otherwise.
    func embed(_ text: String) throws -> [Float]
}

/// Arithmetic of vectors.
public enum VectorMath {
    /// Returns the product of two vectors, which is their cosine when both have length 1.
    ///
    /// - Precondition: Both have the same number of values.
    public static func dot(_ first: [Float], _ second: [Float]) -> Float {
        precondition(first.count == second.count, "vectors of one space have the same number of values")
        return first.withUnsafeBufferPointer { first in
            second.withUnsafeBufferPointer { dot($0, first) }
        }
    }

    /// Returns a vector in its direction of length 1; one of length 0 as it is.
    public static func normalized(_ vector: [Float]) -> [Float] {
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
