/// ONNX model, as far as the reader needs to know and change it.
///
/// Field numbers are those of `onnx.proto` (ONNX IR version 3 and later): ModelProto graph 7, metadata_props 14;
/// GraphProto node 1, initializer 5, input 11, output 12; NodeProto attribute 5; AttributeProto t 5; TensorProto dims 1,
/// data_type 2, name 8, raw_data 9; ValueInfoProto name 1, type 2; TypeProto tensor_type 1, its shape 2;
/// TensorShapeProto dim 1, its dim_value 1.
struct ONNXModel {
    var bytes: UnsafeRawBufferPointer

    /// Returns the value of a metadata property; nil if the model has none of that name, or is not an ONNX file.
    func metadata(_ key: String) -> String? {
        for pair in payloads([14]) {
            func field(_ number: Int) -> String? { payloads([number], in: pair).first.map(text) }
            if field(1) == key { return field(2) }
        }
        return nil
    }

    enum Part: Int {
        case input = 11
        case output
    }

    /// Returns the sizes of the network's first input or output, an open size as nil; nil for what is not a whole ONNX
    /// file.
    func sizes(of part: Part) -> [Int?]? {
        // Older files list their weights among the inputs.
        let weights = Set(part == .input ? payloads([7, 5, 8]).map(text) : [])
        let value = payloads([7, part.rawValue]).first { value in
            payloads([1], in: value).first.map { !weights.contains(text($0)) } ?? true
        }
        return value.map { value in
            payloads([2, 1, 2, 1], in: value).map { dimension in
                let size = Protobuf.fields(of: bytes, in: dimension)?.first { $0.number == 1 }?.value ?? 0
                return (1...UInt64(Int32.max)).contains(size) ? Int(size) : nil
            }
        }
    }

    /// Names of the constants with the places of their raw values, in the file's order.
    var constants: [(name: String, values: Range<Int>)] {
        payloads([7, 5]).compactMap { tensor in
            guard let name = payloads([8], in: tensor).first, let values = payloads([9], in: tensor).first else {
                return nil
            }
            return (text(name), values)
        }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns the payloads at a path of field numbers.
    private func payloads(_ path: ArraySlice<Int>, in range: Range<Int>? = nil) -> [Range<Int>] {
        guard let number = path.first else { return range.map { [$0] } ?? [] }
        let fields = Protobuf.fields(of: bytes, in: range ?? 0..<bytes.count) ?? []
        return fields.filter { $0.number == number && $0.wireType == 2 }.flatMap {
            payloads(path.dropFirst(), in: $0.payload)
        }
    }

    /// Returns the bytes of the model with only some of its output classes, which then alone cost time and can be
    /// predicted.
    ///
    /// Every 32-bit float tensor of one or two dimensions whose last dimension is `classes` keeps the columns `kept`,
    /// in that order. These are the weights and the bias of a classifier's last layer. Nil when the file has no such
    /// weights and bias, so that nothing would change.
    func keepingClasses(_ kept: [Int], of classes: Int) -> [UInt8]? {
        var changes = 0
        /// Returns the message with the tensors at these paths of field numbers changed; nil when none is.
        func changed(_ range: Range<Int>, _ paths: [ArraySlice<Int>]) -> [UInt8]? {
            if paths.contains([]) {
                let tensor = selected(range, kept, of: classes)
                changes += tensor == nil ? 0 : 1
                return tensor
            }
            let before = changes
            var result: [UInt8] = []
            for field in Protobuf.fields(of: bytes, in: range) ?? [] {
                let inner = paths.filter { $0.first == field.number && field.wireType == 2 }.map { $0.dropFirst() }
                if !inner.isEmpty, let payload = changed(field.payload, inner) {
                    Protobuf.appendField(field.number, payload, to: &result)
                } else {
                    result += bytes[field.whole]
                }
            }
            return changes > before ? result : nil
        }
        // Initializers, and the values of Constant nodes.
        let result = changed(0..<bytes.count, [[7, 5], [7, 1, 5, 5]])
        return changes >= 2 ? result : nil
    }

    /// Returns the tensor with some columns of one value a class; nil for any other tensor.
    private func selected(_ range: Range<Int>, _ kept: [Int], of classes: Int) -> [UInt8]? {
        guard let fields = Protobuf.fields(of: bytes, in: range) else { return nil }
        let dimensions = fields.filter { $0.number == 1 }.flatMap { field -> [Int] in
            if field.wireType == 0 { return [Int(truncatingIfNeeded: field.value)] }
            var (packed, position) = ([Int](), field.payload.lowerBound)
            while let value = Protobuf.varint(bytes, &position, field.payload.upperBound) {
                packed.append(Int(truncatingIfNeeded: value))
            }
            return packed
        }
        let rows = dimensions.count == 2 ? dimensions[0] : 1
        // Divided, not multiplied: a damaged file may claim any dimensions.
        guard fields.contains(where: { $0.number == 2 && $0.value == 1 }), (1...2).contains(dimensions.count),
            dimensions.last == classes, classes > 0, let raw = fields.first(where: { $0.number == 9 })?.payload,
            raw.count.isMultiple(of: 4 * classes), raw.count / (4 * classes) == rows
        else { return nil }
        var result: [UInt8] = []
        for dimension in dimensions.dropLast() + [kept.count] {
            Protobuf.appendField(1, varint: UInt64(dimension), to: &result)
        }
        for field in fields where field.number != 1 && field.number != 9 { result += bytes[field.whole] }
        var values: [UInt8] = []
        values.reserveCapacity(rows * kept.count * 4)
        for row in stride(from: raw.lowerBound, to: raw.upperBound, by: 4 * classes) {
            for column in kept { values += bytes[row + column * 4..<row + column * 4 + 4] }
        }
        Protobuf.appendField(9, values, to: &result)
        return result
    }
}

/// Reads and writes the wire format of Protocol Buffers, as far as ONNX files need it.
///
/// Source: the encoding page of the Protocol Buffers documentation (varints, tag = field << 3 | wire type, wire types
/// 0, 1, 2 and 5).
enum Protobuf {
    struct Field {
        /// Field number in the message's definition.
        var number: Int
        /// Type of the encoding: 0 for a varint, 1 for eight bytes, 2 for a length and that number of bytes, 5 for
        /// four bytes.
        var wireType: Int
        /// Tag, length and payload together.
        var whole: Range<Int>
        /// The payload alone; empty for a varint.
        var payload: Range<Int>
        /// The number of a varint field; 0 for any other.
        var value: UInt64
    }

    /// Returns the fields of the message in `range`; nil when the bytes are not a message.
    static func fields(of bytes: UnsafeRawBufferPointer, in range: Range<Int>) -> [Field]? {
        var fields: [Field] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let start = position
            guard let tag = varint(bytes, &position, range.upperBound), tag >> 3 <= 1 << 29 else { return nil }
            let type = Int(tag & 7)
            guard let value = [1: 8, 5: 4][type] ?? varint(bytes, &position, range.upperBound),
                [0, 1, 2, 5].contains(type)
            else { return nil }
            let size = type == 0 ? 0 : value
            guard size <= UInt64(range.upperBound - position) else { return nil }
            let payload = position..<position + Int(size)
            position = payload.upperBound
            fields.append(
                Field(
                    number: Int(tag >> 3),
                    wireType: type,
                    whole: start..<position,
                    payload: payload,
                    value: type == 0 ? value : 0
                )
            )
        }
        return fields
    }

    static func appendField(_ number: Int, _ payload: some Collection<UInt8>, to bytes: inout [UInt8]) {
        appendVarint(UInt64(number << 3 | 2), to: &bytes)
        appendVarint(UInt64(payload.count), to: &bytes)
        bytes += payload
    }

    static func appendField(_ number: Int, varint value: UInt64, to bytes: inout [UInt8]) {
        appendVarint(UInt64(number << 3), to: &bytes)
        appendVarint(value, to: &bytes)
    }

    /// Returns the varint at `position`, which moves behind it; nil when it does not end before `end` or within ten
    /// bytes.
    static func varint(_ bytes: UnsafeRawBufferPointer, _ position: inout Int, _ end: Int) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) where position < end {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return value }
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
