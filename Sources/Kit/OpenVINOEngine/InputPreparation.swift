internal import COpenVINO
internal import Imaging

/// Normalization of a network's input, per channel in the order B, G, R, on the scale 0…255.
struct Normalization: Sendable {
    var mean: [Float]
    var deviation: [Float]

    /// PaddleOCR detection: ImageNet mean (0.485, 0.456, 0.406) and deviation (0.229, 0.224, 0.225), in this order on
    /// B, G, R as PaddleOCR itself applies them.
    static let imageNet = Normalization(
        mean: [0.485 * 255, 0.456 * 255, 0.406 * 255],
        deviation: [0.229 * 255, 0.224 * 255, 0.225 * 255]
    )

    /// PaddleOCR recognition: -1…1.
    static let symmetric = Normalization(mean: [127.5, 127.5, 127.5], deviation: [127.5, 127.5, 127.5])

    /// Returns a model with the conversion of 8-bit RGB rows into its own input, so that OpenVINO fuses it into
    /// inference; to be freed by the caller.
    ///
    /// It takes U8 in the order N, H, W, C; the colours are swapped to B, G, R, on which PaddleOCR trains, and
    /// normalised as `(value - mean) / deviation`.
    func prepared(_ model: OpaquePointer) throws(OpenVINOError) -> OpaquePointer {
        let operation = "add the input conversion"
        let processor = try made(operation) { ov_preprocess_prepostprocessor_create(model, &$0) }
        defer { ov_preprocess_prepostprocessor_free(processor) }
        let input = try made(operation) { ov_preprocess_prepostprocessor_get_input_info(processor, &$0) }
        defer { ov_preprocess_input_info_free(input) }
        let tensor = try made(operation) { ov_preprocess_input_info_get_tensor_info(input, &$0) }
        defer { ov_preprocess_input_tensor_info_free(tensor) }
        let steps = try made(operation) { ov_preprocess_input_info_get_preprocess_steps(input, &$0) }
        defer { ov_preprocess_preprocess_steps_free(steps) }
        let own = try made(operation) { ov_preprocess_input_info_get_model_info(input, &$0) }
        defer { ov_preprocess_input_model_info_free(own) }
        let taken = try made(operation) { ov_layout_create("NHWC", &$0) }
        defer { ov_layout_free(taken) }
        let needed = try made(operation) { ov_layout_create("NCHW", &$0) }
        defer { ov_layout_free(needed) }
        for status in [
            ov_preprocess_input_tensor_info_set_element_type(tensor, U8),
            ov_preprocess_input_tensor_info_set_layout(tensor, taken),
            ov_preprocess_preprocess_steps_convert_element_type(steps, F32),
            ov_preprocess_preprocess_steps_reverse_channels(steps),
            ov_preprocess_preprocess_steps_mean_multi_channels(steps, mean, 3),
            ov_preprocess_preprocess_steps_scale_multi_channels(steps, deviation, 3),
            ov_preprocess_input_model_info_set_layout(own, needed),
        ] { try check(status, operation) }
        return try made(operation) { ov_preprocess_prepostprocessor_build(processor, &$0) }
    }
}

extension RasterImage {
    /// Copies columns of the image, in RGB, to a canvas of three bytes a pixel, from a column of it on and from its
    /// top.
    ///
    /// - Precondition: they fit the canvas.
    func draw(
        _ columns: Range<Int>,
        into canvas: UnsafeMutableBufferPointer<UInt8>,
        of size: NetworkShape,
        at column: Int
    ) {
        precondition(column + columns.count <= size.width && height <= size.height, "the image fits its canvas")
        precondition(canvas.count >= size.width * size.height * 3, "the canvas holds its size")
        guard let target = canvas.baseAddress else { return }
        rgb().pixels.withUnsafeBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            for row in 0..<height {
                (target + (row * size.width + column) * 3)
                    .update(from: start + (row * width + columns.lowerBound) * 3, count: columns.count * 3)
            }
        }
    }
}
