#if !os(iOS)
import CPNG

enum PNGCodec {
    /// Room for libpng's words; its own messages are shorter.
    private static let messageCapacity = 256

    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, structure: PNGStructure) throws(ImageFault) -> RasterImage {
        let count = structure.width * structure.height
        let colours = structure.isColour ? 3 : 1
        let samples = colours + (structure.hasAlpha ? 1 : 0)
        var isRead = false
        var message = ""
        let pixels = [UInt8](unsafeUninitializedCapacity: count * samples) { buffer, initializedCount in
            message = withMessage { room, size in
                isRead =
                    spine_png_read(
                        bytes.baseAddress,
                        bytes.count,
                        buffer.baseAddress,
                        UInt32(structure.width),
                        UInt32(structure.height),
                        Int32(samples),
                        room,
                        size
                    ) != 0
            }
            guard isRead else { return }
            if structure.hasAlpha { flatten(buffer, colours: colours) }
            initializedCount = count * colours
        }
        guard isRead else { throw .corrupt(.png, message) }
        return RasterImage(width: structure.width, height: structure.height, channels: colours, pixels: pixels)
    }

    /// Rows of pixels as a PNG file.
    ///
    /// - Parameters:
    ///   - pixels: `height` rows of `width` pixels of `channels` bytes.
    ///   - width: pixels of a row.
    ///   - height: rows.
    ///   - channels: 1 (grey), 3 (RGB) or 4 (RGB, alpha).
    /// - Returns: the file's bytes.
    /// - Throws: ``ImageFault/notEncoded(_:_:)`` with libpng's words.
    static func encode(_ pixels: [UInt8], width: Int, height: Int, channels: Int) throws(ImageFault) -> [UInt8] {
        let (width, height, channels) = (UInt32(width), UInt32(height), Int32(channels))
        var size = spine_png_size_bound(width, height, channels)
        var isWritten = false
        var message = ""
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initializedCount in
            message = withMessage { room, roomSize in
                pixels.withUnsafeBufferPointer { pixels in
                    isWritten =
                        spine_png_write(
                            pixels.baseAddress,
                            width,
                            height,
                            channels,
                            buffer.baseAddress,
                            &size,
                            room,
                            roomSize
                        ) != 0
                }
            }
            initializedCount = isWritten ? size : 0
        }
        guard isWritten else { throw .notEncoded(.png, message) }
        return bytes
    }

    /// Lays pixels with alpha onto a ground, in place: colour × alpha + ground × (1 − alpha), rounded, in the encoded
    /// values, as browsers and Pillow do.
    private static func flatten(_ buffer: UnsafeMutableBufferPointer<UInt8>, colours: Int) {
        let ground = ground(for: UnsafeBufferPointer(buffer), colours: colours)
        var target = 0
        for source in stride(from: 0, to: buffer.count, by: colours + 1) {
            let alpha = Int(buffer[source + colours])
            for channel in 0..<colours {
                let value = Int(buffer[source + channel]) * alpha + ground * (255 - alpha)
                buffer[target + channel] = UInt8((value + 127) / 255)
            }
            target += colours
        }
    }

    /// Returns the grey on which most opaque content is visible: white if possible, or else black, or else the
    /// middle, if there are light and dark letters.
    ///
    /// The PNG specification leaves the ground to the viewer (third edition, section 13.16).
    private static func ground(for pixels: UnsafeBufferPointer<UInt8>, colours: Int) -> Int {
        /// Opacity by luma (Rec. 601).
        var opacity = [Int](repeating: 0, count: 256)
        for pixel in stride(from: 0, to: pixels.count, by: colours + 1) {
            let alpha = Int(pixels[pixel + colours])
            guard alpha > 0 else { continue }
            let (red, green, blue) = (
                Int(pixels[pixel]), Int(pixels[pixel + colours / 2]), Int(pixels[pixel + colours - 1])
            )
            opacity[(299 * red + 587 * green + 114 * blue) / 1000] += alpha
        }
        let grounds = [255, 0, 128]
        let seen = grounds.map { ground in
            opacity.indices.reduce(0) { $0 + (abs($1 - ground) < contrast ? 0 : opacity[$1]) }
        }
        // A fiftieth more is worth another ground: the soft edges of letters are not.
        let enough = (seen.max() ?? 0) - opacity.reduce(0, +) / 50
        return zip(grounds, seen).first { $0.1 >= enough }?.0 ?? 255
    }

    /// Difference of luma that letters need to be read.
    private static let contrast = 64

    /// Calls `body` with a C string buffer, and returns its content.
    private static func withMessage(_ body: (UnsafeMutablePointer<CChar>?, Int) -> Void) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: messageCapacity) { room in
            room.initialize(repeating: 0)
            body(room.baseAddress, room.count)
            return String(decoding: room.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
#endif
