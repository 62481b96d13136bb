internal import COpenVINO

/// Input or output tensor of a network: a name, a type and a shape.
package struct NetworkTensor: Sendable, Equatable, Codable {
    package enum Element: String, Sendable, Codable, CaseIterable {
        case boolean
        case bf16, f16, f32, f64
        case i8, i16, i32, i64
        case u8, u16, u32, u64
    }

    /// Name in the file; "input 0" without one.
    package var name: String
    /// Element type; nil for a type without writable numbers: texts, packed bits, or an open type.
    package var element: Element?
    /// A size that is left open is nil; the whole is nil when even the number of dimensions is.
    package var dimensions: [Int?]?

    /// "1×3×?×?".
    package var shapeText: String {
        guard let dimensions else { return "any shape" }
        return dimensions.isEmpty ? "one number" : dimensions.map { $0.map(String.init) ?? "?" }.joined(separator: "×")
    }
}

extension NetworkTensor {
    /// Describes a port, and frees it.
    ///
    /// `fallback`: name of an unnamed port.
    init(port: OpaquePointer, fallback: String) throws(OpenVINOError) {
        defer { ov_output_const_port_free(port) }
        var text: UnsafeMutablePointer<CChar>?
        // A port without a name is an error to OpenVINO and a fact here.
        name = fallback
        if ov_port_get_any_name(port, &text).rawValue == 0, let text {
            name = String(cString: text)
            ov_free(text)
        }
        var type = DYNAMIC
        try check(ov_port_get_element_type(port, &type), "ask for the type of \(name)")
        element = Self.elements.first { $0.0 == type }?.1
        var shape = ov_partial_shape_t()
        try check(ov_port_get_partial_shape(port, &shape), "ask for the shape of \(name)")
        defer { ov_partial_shape_free(&shape) }
        guard shape.rank.min == shape.rank.max, shape.rank.min >= 0 else {
            dimensions = nil
            return
        }
        dimensions = (0..<Int(shape.rank.min)).map { index in
            let dimension = shape.dims[index]
            return dimension.min == dimension.max && dimension.min >= 0 ? Int(dimension.min) : nil
        }
    }

    private static var elements: [(ov_element_type_e, Element)] {
        [
            // BOOLEAN of the header, a name that Swift does not import.
            (ov_element_type_e(1), .boolean), (BF16, .bf16), (F16, .f16), (F32, .f32), (F64, .f64), (I8, .i8),
            (I16, .i16), (I32, .i32), (I64, .i64), (U8, .u8), (U16, .u16), (U32, .u32), (U64, .u64),
        ]
    }
}
