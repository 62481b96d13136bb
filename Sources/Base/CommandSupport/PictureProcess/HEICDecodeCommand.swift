public import ArgumentParser
import Foundation
import Imaging

/// Command that ``HEICProcess`` starts: reads the HEIC on standard input, and writes a line of JSON and its pixels to
/// standard output.
public struct HEICDecodeCommand: ParsableCommand {
    /// Name on the command line.
    public static let name = "heic-decode"

    /// Name and help.
    public static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Internal: decode a HEIC for another process.",
        shouldDisplay: false
    )

    @Argument(help: "The largest file accepted, in bytes.")
    var maximumBytes: Int

    @Argument(help: "The largest picture accepted, in pixels.")
    var maximumPixels: Int

    @Flag(help: "Write no pixels.")
    var headerOnly = false

    /// Creates the command.
    public init() {}

    /// Decodes the picture.
    public func run() throws {
        // Prints of libraries must not mix with the pixels.
        let output = FileHandle(fileDescriptor: dup(STDOUT_FILENO), closeOnDealloc: true)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        let bytes = [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
        let options = DecodingOptions(maximumBytes: maximumBytes, maximumPixels: maximumPixels)
        var (head, pixels) = (HEICHead(), [UInt8]())
        do throws(ImageFault) {
            (head.width, head.height, pixels) = try HEICCodec.read(bytes, options, isHeaderOnly: headerOnly)
        } catch {
            head.fault = error
        }
        try output.write(contentsOf: try JSONEncoder().encode(head) + [0x0A] + pixels)
    }
}

/// The line of JSON before the pixels.
struct HEICHead: Codable {
    var width = 0
    var height = 0
    var fault: ImageFault?
}
