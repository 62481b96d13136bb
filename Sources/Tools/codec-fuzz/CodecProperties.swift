import Imaging

/// Properties of the decoders of PNG and JPEG and of the removal of metadata that hold for any bytes.
enum CodecProperties {
    private static let name = "image"
    private static let maximumPixels = 4_000_000

    /// Returns the first that does not hold; nil when all do.
    static func violation(_ bytes: [UInt8]) -> String? {
        // libheif may end its process, so programs read HEIC in another.
        ImageCodec.readHEIC { (_, _, _) throws(ImageFault) in throw .notStarted(.heic) }
        // A PNG with wrong checksums is refused before anything interesting is reached.
        let inputs = [bytes, repairingChecksums(bytes)].prefix(bytes.starts(with: signature) ? 2 : 1)
        return inputs.lazy.compactMap { decoding($0) ?? reducing($0) }.first
    }

    /// Decodes in full, and removes the metadata.
    private static func decoding(_ bytes: [UInt8]) -> String? {
        let decoded: RasterImage?
        do throws(ImageCodecError) {
            let result = try ImageCodec.decode(bytes, name: name, options: .init(maximumPixels: maximumPixels))
            guard isConsistent(result) else { return "decoded, but differs from its header" }
            decoded = result.image
        } catch {
            guard "\(error)".contains(name) else { return "the error does not name the file: \(error)" }
            decoded = nil
        }
        do throws(ImageCodecError) {
            _ = try ImageCodec.containsLocation(bytes, name: name)
            let stripped = try ImageCodec.withoutMetadata(bytes, name: name)
            guard try ImageCodec.withoutMetadata(stripped, name: name) == stripped else {
                return "stripping twice differs from stripping once"
            }
            guard try !ImageCodec.containsLocation(stripped, name: name) else { return "a location was left" }
            guard let decoded else { return nil }
            return try ImageCodec.decode(stripped, name: name).image == decoded ? nil : "stripped to another picture"
        } catch {
            if case .notStripped = error.fault { return nil }
            return decoded == nil ? nil : "decoded, but could not be stripped: \(error)"
        }
    }

    /// Decodes to a smaller picture, where the format does so.
    private static func reducing(_ bytes: [UInt8]) -> String? {
        let side = 1 + bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 96
        let options = DecodingOptions(maximumPixels: maximumPixels, minimumShortSide: side)
        guard let result = try? ImageCodec.decode(bytes, name: name, options: options) else { return nil }
        return isConsistent(result) ? nil : "decoded to \(side) pixels, but differs from its header"
    }

    private static func isConsistent(_ result: DecodedImage) -> Bool {
        func matches(_ length: Int, _ full: Int) -> Bool {
            length == Int((Double(full) * result.scale).rounded(.up))
        }
        return result.image.channels == result.header.channels && result.scale > 0 && result.scale <= 1
            && matches(result.image.width, result.header.orientedWidth)
            && matches(result.image.height, result.header.orientedHeight)
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Gives every whole chunk of a PNG file the checksum that its contents call for.
    private static func repairingChecksums(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var offset = signature.count
        while offset + 12 <= bytes.count {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - offset - 12 else { break }
            let end = offset + 8 + length
            let checksum = PNGChecksum.of(bytes[(offset + 4)..<end])
            for index in 0..<4 { bytes[end + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * index)) }
            offset = end + 4
        }
        return bytes
    }
}
