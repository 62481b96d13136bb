/// ONNX model, as far as the reader needs to know and change it.
///
/// Field numbers are those of `onnx.proto` (ONNX IR version 3 and later): ModelProto graph 7, metadata_props 14;
/// GraphProto node 1, initializer 5, input 11, output 12; NodeProto op_type 4, attribute 5; AttributeProto t 5;
/// TensorProto dims 1, data_type 2, name 8, raw_data 9; ValueInfoProto name 1, type 2; TypeProto tensor_type 1, its
/// shape 2; TensorShapeProto dim 1, its dim_value 1.
struct ONNXModel<Bytes: RandomAccessCollection<UInt8>> where Bytes.Index == Int {
    /// Bytes from index 0 on.
    var bytes: Bytes

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

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns the payloads at a path of field numbers.
    private func payloads(_ path: ArraySlice<Int>, in range: Range<Int>? = nil) -> [Range<Int>] {
        guard let number = path.first else { return range.map { [$0] } ?? [] }
        let fields = Protobuf.fields(of: bytes, in: range ?? 0..<bytes.count) ?? []
        return fields.filter { $0.number == number && $0.wireType == 2 }.flatMap {
            payloads(path.dropFirst(), in: $0.payload)
        }
    }

    /// Returns the model with only some of its output classes, which then alone cost time and can be predicted.
    ///
    /// Every 32-bit float tensor of one or two dimensions whose last dimension is `classes` keeps the columns `kept`,
    /// in that order. These are the weights and the bias of a classifier's last layer. Nil when the file has no such
    /// weights and bias, so that nothing would change.
    func keepingClasses(_ kept: [Int], of classes: Int) -> ONNXModel<[UInt8]>? {
        guard let fields = Protobuf.fields(of: bytes, in: 0..<bytes.count) else { return nil }
        var rewriter = ClassSelection(bytes: bytes, kept: kept, classes: classes)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for field in fields {
            if field.number == 7, let graph = rewriter.graph(field.payload) {
                Protobuf.appendField(7, graph, to: &result)
            } else {
                result.append(contentsOf: bytes[field.whole])
            }
        }
        return rewriter.changed >= 2 ? ONNXModel<[UInt8]>(bytes: result) : nil
    }
}

/// Walks a graph and selects columns of the tensors with one value a class.
private struct ClassSelection<Bytes: RandomAccessCollection<UInt8>> where Bytes.Index == Int {
    let bytes: Bytes
    let kept: [Int]
    let classes: Int
    var changed = 0

    mutating func graph(_ range: Range<Int>) -> [UInt8]? {
        rewritten(range) { field, selection in
            switch field.number {
            case 1: selection.node(field.payload)
            case 5: selection.tensor(field.payload)
            default: nil
            }
        }
    }

    /// Rewrites a `Constant` node, which has its tensor in an attribute.
    private mutating func node(_ range: Range<Int>) -> [UInt8]? {
        guard let fields = Protobuf.fields(of: bytes, in: range),
            let type = fields.first(where: { $0.number == 4 }),
            bytes[type.payload].elementsEqual("Constant".utf8)
        else { return nil }
        return rewritten(range) { field, selection in
            guard field.number == 5 else { return nil }
            return selection.rewritten(field.payload) { field, selection in
                field.number == 5 ? selection.tensor(field.payload) : nil
            }
        }
    }

    private mutating func tensor(_ range: Range<Int>) -> [UInt8]? {
        guard let fields = Protobuf.fields(of: bytes, in: range) else { return nil }
        var dimensions: [Int] = []
        for field in fields where field.number == 1 {
            if field.wireType == 0 {
                dimensions.append(Int(truncatingIfNeeded: field.value))
            } else {
                var position = field.payload.lowerBound
                while let value = Protobuf.varint(bytes, &position, field.payload.upperBound) {
                    dimensions.append(Int(truncatingIfNeeded: value))
                }
            }
        }
        let isFloat = fields.contains { $0.number == 2 && $0.value == 1 }
        let rows = dimensions.count == 2 ? dimensions[0] : 1
        // Divided, not multiplied: a damaged file may claim any dimensions.
        guard isFloat, dimensions.count == 1 || dimensions.count == 2, dimensions.last == classes, classes > 0,
            let raw = fields.first(where: { $0.number == 9 }),
            raw.payload.count.isMultiple(of: 4 * classes), raw.payload.count / (4 * classes) == rows
        else { return nil }

        var selected: [UInt8] = []
        selected.reserveCapacity(rows * kept.count * 4)
        for row in 0..<rows {
            let start = raw.payload.lowerBound + row * classes * 4
            for column in kept { selected.append(contentsOf: bytes[start + column * 4..<start + column * 4 + 4]) }
        }
        var result: [UInt8] = []
        for dimension in dimensions.dropLast() + [kept.count] {
            Protobuf.appendField(1, varint: UInt64(dimension), to: &result)
        }
        for field in fields where field.number != 1 && field.number != 9 {
            result.append(contentsOf: bytes[field.whole])
        }
        Protobuf.appendField(9, selected, to: &result)
        changed += 1
        return result
    }

    /// Returns the message with each field replaced that `change` gives a new payload for; nil when it gives none.
    private mutating func rewritten(
        _ range: Range<Int>,
        _ change: (Protobuf.Field, inout ClassSelection) -> [UInt8]?
    ) -> [UInt8]? {
        guard let fields = Protobuf.fields(of: bytes, in: range) else { return nil }
        var result: [UInt8] = []
        var isChanged = false
        for field in fields {
            if field.wireType == 2, let payload = change(field, &self) {
                Protobuf.appendField(field.number, payload, to: &result)
                isChanged = true
            } else {
                result.append(contentsOf: bytes[field.whole])
            }
        }
        return isChanged ? result : nil
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
    static func fields<Bytes>(of bytes: Bytes, in range: Range<Int>) -> [Field]?
    where Bytes: RandomAccessCollection<UInt8>, Bytes.Index == Int {
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

    static func appendField(_ number: Int, _ payload: some Collection<UInt8>, to bytes: inout [UInt8]) {
        appendVarint(UInt64(number << 3 | 2), to: &bytes)
        appendVarint(UInt64(payload.count), to: &bytes)
        bytes.append(contentsOf: payload)
    }

    static func appendField(_ number: Int, varint value: UInt64, to bytes: inout [UInt8]) {
        appendVarint(UInt64(number << 3), to: &bytes)
        appendVarint(value, to: &bytes)
    }

    /// Returns the varint at `position`, which moves behind it; nil when it does not end before `end` or within ten
    /// bytes.
    static func varint<Bytes>(_ bytes: Bytes, _ position: inout Int, _ end: Int) -> UInt64?
    where Bytes: RandomAccessCollection<UInt8>, Bytes.Index == Int {
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
