/// Reading integers out of a file's bytes. Every function gives nil past the end.
extension UnsafeBufferPointer<UInt8> {
    func bigEndian16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(self[offset]) << 8 | Int(self[offset + 1])
    }

    func bigEndian32(at offset: Int) -> Int? {
        guard let high = bigEndian16(at: offset), let low = bigEndian16(at: offset + 2) else { return nil }
        return high << 16 | low
    }

    func littleEndian16(at offset: Int) -> Int? {
        bigEndian16(at: offset).map { $0 >> 8 | ($0 & 0xFF) << 8 }
    }

    func littleEndian32(at offset: Int) -> Int? {
        guard let low = littleEndian16(at: offset), let high = littleEndian16(at: offset + 2) else { return nil }
        return high << 16 | low
    }

    /// Whether `text`, in ASCII, stands at `offset`.
    func holds(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= count - text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[offset + $0] == text.utf8Start[$0] }
    }

    /// The bytes of `range`, without copying.
    func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: self[range]) }
}
