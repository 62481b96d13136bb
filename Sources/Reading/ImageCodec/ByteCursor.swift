/// Reads the fields of a box one after the other.
struct ByteCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var offset: Int
    private let end: Int

    /// A field that does not fit.
    struct Exhausted: Error {
        var offset: Int
    }

    /// Begins at the start of `range`, which must lie in `bytes`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Range of what has not been read.
    var rest: Range<Int> { offset..<end }

    /// An unsigned number of 0 to 8 bytes; one of more than 63 bits counts as not fitting.
    mutating func number(_ count: Int) throws(Exhausted) -> Int {
        guard count <= end - offset else { throw Exhausted(offset: offset) }
        var value = 0
        for index in 0..<count {
            guard value < 1 << 55 else { throw Exhausted(offset: offset) }
            value = value << 8 | Int(bytes[offset + index])
        }
        offset += count
        return value
    }

    /// The next `count` bytes.
    mutating func take(_ count: Int) throws(Exhausted) -> Range<Int> {
        guard count >= 0, count <= end - offset else { throw Exhausted(offset: offset) }
        defer { offset += count }
        return offset..<offset + count
    }

    /// The version of a full box and its flags, which stand before its fields.
    mutating func versionAndFlags() throws(Exhausted) -> (version: Int, flags: Int) {
        (try number(1), try number(3))
    }
}
