public import ArgumentParser
import Foundation
import ImageCodec

/// Command that ``HEICProcess`` starts: decodes the HEIC on standard input, and writes its pixels to standard output.
public struct HEICDecodeCommand: ParsableCommand {
    /// Name on the command line.
    public static let name = "heic-decode"

    /// Not listed for people.
    public static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Decodes a HEIC for another process; not for people.",
        shouldDisplay: false
    )

    @Argument(help: "The largest file accepted, in bytes.")
    var maximumBytes: Int

    @Argument(help: "The largest picture accepted, in pixels.")
    var maximumPixels: Int

    /// A command that is parsed.
    public init() {}

    /// Sets limits to this process, and decodes.
    public func run() throws {
        // What libraries print must not come between the pixels.
        let output = FileHandle(fileDescriptor: dup(STDOUT_FILENO), closeOnDealloc: true)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        try ProcessLimits(pixels: maximumPixels).set()
        let bytes = [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
        let options = DecodingOptions(maximumBytes: maximumBytes, maximumPixels: maximumPixels)
        let answer: HEICAnswer
        do throws(ImageCodecError) {
            answer = .picture(try ImageCodec.decode(bytes, name: "", options: options).image)
        } catch {
            answer = .failure(error)
        }
        let (line, pixels) = try answer.written()
        try output.write(contentsOf: line)
        try output.write(contentsOf: Data(pixels))
    }
}
