/// Why an image could not be read or written.
///
/// `name` is the file as the caller named it.
public enum ImageCodecError: Error, Sendable, Equatable, Codable {
    /// The file could not be read from disk; `code` is `errno`.
    case unreadable(name: String, operation: String, code: Int32)
    /// There is a file, and nothing in it.
    case empty(name: String)
    /// Neither PNG, JPEG nor HEIC; `found` says what the first bytes look like.
    case foreign(name: String, found: String)
    /// The file has more bytes than ``DecodingOptions/maximumBytes``.
    case tooManyBytes(name: String, found: Int, limit: Int)
    /// The header states more pixels than ``DecodingOptions/maximumPixels``.
    case tooManyPixels(name: String, width: Int, height: Int, limit: Int)
    /// The file ends before the picture does.
    case truncated(name: String, format: ImageFormat, detail: String)
    /// The file is whole, its contents make no sense.
    case corrupt(name: String, format: ImageFormat, detail: String)
    /// A valid file of a kind that is not decoded here.
    case unsupported(name: String, format: ImageFormat, detail: String)
    /// The library could not set to work on the file, for want of memory.
    case notStarted(name: String, format: ImageFormat)
    /// The library refused to encode.
    case notEncoded(format: ImageFormat, detail: String)
    /// Metadata cannot be taken out of this format without coding the picture anew.
    case notStripped(name: String, format: ImageFormat)
}

extension ImageCodecError: CustomStringConvertible {
    /// The file, what was found, what was expected, and what to do.
    public var description: String {
        switch self {
        case .unreadable(let name, let operation, let code):
            "\(name): \(operation) failed: \(systemMessage(code)); expected a readable PNG, JPEG or HEIC file"
        case .empty(let name):
            "\(name): the file is empty; expected a PNG, JPEG or HEIC image"
        case .foreign(let name, let found):
            "\(name): found \(found); expected a PNG, JPEG or HEIC image, so convert it first"
        case .tooManyBytes(let name, let found, let limit):
            "\(name): found \(found) bytes; expected at most \(limit), so shrink the file or raise the limit"
        case .tooManyPixels(let name, let width, let height, let limit):
            "\(name): found \(width) × \(height) pixels; expected at most \(limit), so shrink the picture or raise the limit"
        case .truncated(let name, let format, let detail):
            "\(name): found a truncated \(format.label) file (\(detail)); expected a whole one, so copy it again"
        case .corrupt(let name, let format, let detail):
            "\(name): found a corrupt \(format.label) file (\(detail)); expected an intact one, so export it again"
        case .unsupported(let name, let format, let detail):
            "\(name): found \(detail); expected \(format.decodable), so convert it first"
        case .notStarted(let name, let format):
            "\(name): the \(format.label) library could not start; free some memory and try again"
        case .notEncoded(let format, let detail):
            "could not encode the image as \(format.label): \(detail)"
        case .notStripped(let name, let format):
            "\(name): the metadata of a \(format.label) cannot be taken out by itself; decode it and encode it as JPEG"
        }
    }
}

extension ImageFormat {
    /// The format's name as people write it.
    var label: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .heic: "HEIC"
        }
    }

    /// The kind of it that is decoded here.
    var decodable: String {
        switch self {
        case .png: "a PNG"
        case .jpeg: "an 8-bit grey, colour or CMYK JPEG"
        case .heic: "a HEIC with an opaque HEVC picture"
        }
    }
}
