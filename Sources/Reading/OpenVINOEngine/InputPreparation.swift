internal import COpenVINO
internal import Raster

/// Adds to a network what turns 8-bit RGB rows into its own input, so that OpenVINO fuses the conversion into inference.
///
/// The network then takes U8 in the order N, H, W, C; the colours are swapped to B, G, R, which is what PaddleOCR
/// trains on, and normalised as `(value - mean) / deviation`.
struct InputPreparation {
    var model: OpaquePointer
    var normalization: Normalization

    /// A new model, to be freed by the caller.
    func build() throws(OpenVINOError) -> OpaquePointer {
        let operation = "add the input conversion"
        var processor: OpaquePointer?
        try check(ov_preprocess_prepostprocessor_create(model, &processor), operation)
        defer { ov_preprocess_prepostprocessor_free(processor) }
        var input: OpaquePointer?
        try check(ov_preprocess_prepostprocessor_get_input_info(processor, &input), operation)
        defer { ov_preprocess_input_info_free(input) }

        var tensor: OpaquePointer?
        try check(ov_preprocess_input_info_get_tensor_info(input, &tensor), operation)
        defer { ov_preprocess_input_tensor_info_free(tensor) }
        try check(ov_preprocess_input_tensor_info_set_element_type(tensor, U8), operation)
        try withLayout("NHWC") { layout throws(OpenVINOError) in
            try check(ov_preprocess_input_tensor_info_set_layout(tensor, layout), operation)
        }

        var steps: OpaquePointer?
        try check(ov_preprocess_input_info_get_preprocess_steps(input, &steps), operation)
        defer { ov_preprocess_preprocess_steps_free(steps) }
        try check(ov_preprocess_preprocess_steps_convert_element_type(steps, F32), operation)
        try check(ov_preprocess_preprocess_steps_reverse_channels(steps), operation)
        try check(ov_preprocess_preprocess_steps_mean_multi_channels(steps, normalization.mean, 3), operation)
        try check(ov_preprocess_preprocess_steps_scale_multi_channels(steps, normalization.deviation, 3), operation)

        var modelInfo: OpaquePointer?
        try check(ov_preprocess_input_info_get_model_info(input, &modelInfo), operation)
        defer { ov_preprocess_input_model_info_free(modelInfo) }
        try withLayout("NCHW") { layout throws(OpenVINOError) in
            try check(ov_preprocess_input_model_info_set_layout(modelInfo, layout), operation)
        }

        var built: OpaquePointer?
        try check(ov_preprocess_prepostprocessor_build(processor, &built), operation)
        guard let built else { throw .callFailed(operation: operation, status: -1, message: "no model") }
        return built
    }

    private func withLayout(
        _ description: String,
        _ body: (OpaquePointer?) throws(OpenVINOError) -> Void
    ) throws(OpenVINOError) {
        var layout: OpaquePointer?
        try check(ov_layout_create(description, &layout), "describe the layout \(description)")
        defer { ov_layout_free(layout) }
        try body(layout)
    }
}

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
}

extension RasterImage {
    /// Copies the image to the top left of an RGB canvas and fills the rest with `padding`.
    ///
    /// Grey becomes RGB.
    ///
    /// - Precondition: the image fits the canvas, which has `canvasWidth * canvasHeight * 3` bytes.
    func draw(
        into canvas: UnsafeMutableBufferPointer<UInt8>,
        canvasWidth: Int,
        canvasHeight: Int,
        padding: UInt8
    ) {
        precondition(width <= canvasWidth && height <= canvasHeight, "the image fits its canvas")
        precondition(canvas.count >= canvasWidth * canvasHeight * 3, "the canvas holds its size")
        guard let target = canvas.baseAddress else { return }
        let source = rgb()
        source.pixels.withUnsafeBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            for row in 0..<height {
                let line = target + row * canvasWidth * 3
                line.update(from: start + row * width * 3, count: width * 3)
                (line + width * 3).update(repeating: padding, count: (canvasWidth - width) * 3)
            }
        }
        let rest = (canvasHeight - height) * canvasWidth * 3
        (target + height * canvasWidth * 3).update(repeating: padding, count: rest)
    }
}
