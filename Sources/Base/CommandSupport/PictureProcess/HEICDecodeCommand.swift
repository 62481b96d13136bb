public import ArgumentParser
import Foundation
import Imaging

/// Command that ``HEICProcess`` starts: decodes the HEIC on standard input, and writes its pixels to standard output.
public struct HEICDecodeCommand: ParsableCommand {
    /// Name on the command line.
    public static let name = "heic-decode"

    /// Configuration; hidden from the help.
    public static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Internal: decode a HEIC for another process.",
        shouldDisplay: false
    )

    @Argument(help: "The largest file accepted, in bytes.")
    var maximumBytes: Int

    @Argument(help: "The largest picture accepted, in pixels.")
    var maximumPixels: Int

    /// Creates a command for parsing.
    public init() {}

    /// Sets limits to this process, and decodes.
    public func run() throws {
        // Prints of libraries must not mix with the pixels.
        let output = FileHandle(fileDescriptor: dup(STDOUT_FILENO), closeOnDealloc: true)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        try ProcessLimits.set(pixels: maximumPixels)
        let bytes = [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
        let options = DecodingOptions(maximumBytes: maximumBytes, maximumPixels: maximumPixels)
        let answer: HEICAnswer
        do throws(ImageCodecError) {
            answer = .picture(try ImageCodec.decode(bytes, name: "", options: options).image)
        } catch {
            answer = .failure(error.fault)
        }
        let (line, pixels) = try answer.written()
        try output.write(contentsOf: line)
        try output.write(contentsOf: Data(pixels))
    }
}

/// Answer of the process that decodes a HEIC: a line of JSON, and after that the pixels, if there are any.
enum HEICAnswer {
    case picture(RasterImage)
    case failure(ImageFault)

    private struct Head: Codable {
        var width = 0
        var height = 0
        var channels = 0
        var error: ImageFault?
    }

    /// Returns the bytes of the line, and the pixels.
    func written() throws -> (line: Data, pixels: [UInt8]) {
        let encoder = JSONEncoder()
        switch self {
        case .picture(let image):
            let head = Head(width: image.width, height: image.height, channels: image.channels)
            return (try encoder.encode(head) + [0x0A], image.pixels)
        case .failure(let error): return (try encoder.encode(Head(error: error)) + [0x0A], [])
        }
    }

    static func read(_ data: Data) -> HEICAnswer? {
        guard let end = data.firstIndex(of: 0x0A),
            let head = try? JSONDecoder().decode(Head.self, from: data[..<end])
        else { return nil }
        if let error = head.error { return .failure(error) }
        let pixels = data[(end + 1)...]
        guard head.width > 0, head.height > 0, head.channels == 3, head.width <= pixels.count / 3 / head.height,
            pixels.count == head.width * head.height * 3
        else { return nil }
        return .picture(RasterImage(width: head.width, height: head.height, channels: 3, pixels: [UInt8](pixels)))
    }
}
