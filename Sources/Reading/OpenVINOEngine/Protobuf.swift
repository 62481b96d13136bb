/// Reads and writes the wire format of Protocol Buffers, as far as ONNX files need it.
///
/// Source: the encoding page of the Protocol Buffers documentation (varints, tag = field << 3 | wire type, wire types 0,
/// 1, 2 and 5).
enum Protobuf {
    /// One field of a message.
    struct Field {
        /// Its number in the message's definition.
        var number: Int
        /// 0 for a varint, 1 for eight bytes, 2 for a length and as many bytes, 5 for four bytes.
        var wireType: Int
        /// Tag, length and payload together.
        var whole: Range<Int>
        /// The payload alone; empty for a varint.
        var payload: Range<Int>
        /// The number of a varint field; 0 for any other.
        var value: UInt64
    }

    /// The fields of the message in `range`; nil when the bytes are not a message.
    static func fields(of bytes: [UInt8], in range: Range<Int>) -> [Field]? {
        var fields: [Field] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let start = position
            guard let tag = varint(bytes, &position, range.upperBound), tag >> 3 <= 1 << 29 else { return nil }
            var value: UInt64 = 0
            let size: UInt64
            var payloadStart = position
            switch tag & 7 {
            case 0:
                guard let number = varint(bytes, &position, range.upperBound) else { return nil }
                value = number
                size = 0
                payloadStart = position
            case 1: size = 8
            case 2:
                guard let length = varint(bytes, &position, range.upperBound) else { return nil }
                size = length
                payloadStart = position
            case 5: size = 4
            default: return nil
            }
            guard size <= UInt64(range.upperBound - payloadStart) else { return nil }
            position = payloadStart + Int(size)
            fields.append(
                Field(
                    number: Int(tag >> 3),
                    wireType: Int(tag & 7),
                    whole: start..<position,
                    payload: payloadStart..<position,
                    value: value
                )
            )
        }
        return fields
    }

    /// A length-delimited field.
    static func appendField(_ number: Int, _ payload: some Collection<UInt8>, to bytes: inout [UInt8]) {
        appendVarint(UInt64(number << 3 | 2), to: &bytes)
        appendVarint(UInt64(payload.count), to: &bytes)
        bytes.append(contentsOf: payload)
    }

    /// A varint field.
    static func appendField(_ number: Int, varint value: UInt64, to bytes: inout [UInt8]) {
        appendVarint(UInt64(number << 3), to: &bytes)
        appendVarint(value, to: &bytes)
    }

    /// The varint at `position`, which moves behind it; nil when it does not end before `end` or within ten bytes.
    static func varint(_ bytes: [UInt8], _ position: inout Int, _ end: Int) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < end, shift < 64 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        return nil
    }

    private static func appendVarint(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
