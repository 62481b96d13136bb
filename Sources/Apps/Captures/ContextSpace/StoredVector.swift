public import Foundation

/// A vector with the name of its space, as the store keeps it.
///
/// Bytes: the number of bytes of the name (one byte), the name in UTF-8, then the values as 32-bit IEEE numbers, least
/// significant byte first.
public struct StoredVector: Sendable, Equatable {
    /// Name of the space: ``TextEmbedder/name``.
    public var space: String
    /// The values.
    public var values: [Float]

    /// A vector of a space.
    ///
    /// - Precondition: The name has at most 255 bytes.
    public init(space: String, values: [Float]) {
        precondition(space.utf8.count <= 255, "a space's name has at most 255 bytes")
        self.space = space
        self.values = values
    }

    /// The vector that ``bytes`` wrote.
    ///
    /// - Throws: ``ContextSpaceError/storedVectorDamaged(reason:)`` for anything else.
    public init(bytes: Data) throws(ContextSpaceError) {
        let all = [UInt8](bytes)
        guard let length = all.first.map(Int.init), all.count > length else {
            throw .storedVectorDamaged(reason: "ends within the name of its space")
        }
        guard let name = String(validating: all[1...length], as: UTF8.self) else {
            throw .storedVectorDamaged(reason: "has a name that is not text")
        }
        let rest = all[(length + 1)...]
        guard rest.count.isMultiple(of: 4) else { throw .storedVectorDamaged(reason: "ends within a value") }
        let values = rest.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { index in
                Float(bitPattern: UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
            }
        }
        guard values.allSatisfy(\.isFinite) else {
            throw .storedVectorDamaged(reason: "has a value that is not a number")
        }
        self.init(space: name, values: values)
    }

    /// What the store keeps.
    public var bytes: Data {
        var bytes = Data([UInt8(space.utf8.count)])
        bytes.append(contentsOf: space.utf8)
        for value in values { withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) } }
        return bytes
    }
}
