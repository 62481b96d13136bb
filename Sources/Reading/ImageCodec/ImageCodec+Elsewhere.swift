import Synchronization

extension ImageCodec {
    /// Decodes a HEIC file: its bytes, what errors call it, and the limits.
    public typealias HEICDecoder = @Sendable ([UInt8], String, DecodingOptions) throws(ImageCodecError) -> DecodedImage

    private static let heicDecoder = Mutex<HEICDecoder?>(nil)

    /// Has HEIC files decoded by somebody else from now on: the library for them can end its process.
    ///
    /// - Parameter decoder: nil for this process itself, as at the start.
    public static func decodeHEIC(with decoder: HEICDecoder?) { heicDecoder.withLock { $0 = decoder } }

    /// The picture of a HEIC as that decoder gives it; nil for files of other formats, and where there is no decoder.
    static func decodedElsewhere(
        _ bytes: [UInt8],
        name: String,
        options: DecodingOptions
    ) throws(ImageCodecError) -> DecodedImage? {
        guard let decoder = heicDecoder.withLock({ $0 }), bytes.count <= options.maximumBytes,
            bytes.withUnsafeBufferPointer({ HEICStructure.isHEIC($0) })
        else { return nil }
        return try decoder(bytes, name, options)
    }
}
