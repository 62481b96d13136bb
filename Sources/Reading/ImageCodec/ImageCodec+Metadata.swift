extension ImageCodec {
    /// Takes everything out of a PNG or JPEG file that the picture does not need, without coding it anew.
    ///
    /// What is kept: the coded picture byte for byte, colour profiles and the like, and of EXIF the orientation, when it
    /// says that the picture is to be turned. Stripping a stripped file changes nothing. Whether the coded picture
    /// decodes is not looked at.
    ///
    /// - Throws: ``ImageCodecError`` when the bytes are no PNG or JPEG that is whole, or a HEIC.
    public static func withoutMetadata(_ bytes: [UInt8], name: String) throws(ImageCodecError) -> StrippedPicture {
        try bytes.withUnsafeBufferPointer { buffer throws(ImageCodecError) in
            switch try ImageFormat(of: buffer, name: name) {
            case .png: try PNGMetadata.stripped(buffer, name: name)
            case .jpeg: try JPEGMetadata.stripped(buffer, name: name)
            case .heic: throw .notStripped(name: name, format: .heic)
            }
        }
    }

    /// Whether a file says where its picture was taken, in EXIF or XMP.
    ///
    /// Compressed text in a PNG and data in formats of camera makers are not looked into.
    ///
    /// - Throws: ``ImageCodecError`` when the bytes are no PNG, JPEG or HEIC, or its structure makes no sense. The
    ///   picture is not looked at.
    public static func containsLocation(_ bytes: [UInt8], name: String) throws(ImageCodecError) -> Bool {
        try bytes.withUnsafeBufferPointer { buffer throws(ImageCodecError) in
            switch try ImageFormat(of: buffer, name: name) {
            case .png: PNGMetadata.kinds(in: buffer).contains(.location)
            case .jpeg: try JPEGMetadata.kinds(in: buffer, name: name).contains(.location)
            case .heic: try HEICStructure(buffer, name: name).metadataKinds.contains(.location)
            }
        }
    }
}
