/// Fault of an image that could not be read or written.
public struct ImageCodecError: Error, Sendable, Equatable, Codable, CustomStringConvertible {
    /// The file as the caller named it; nil for an image that was to be encoded.
    public var name: String?
    /// Fault of the file.
    public var fault: ImageFault

    /// Message with the file, the fault, the expected content and the remedy.
    public var description: String { (name.map { "\($0): " } ?? "") + fault.description }

    /// Returns the value of `body`, whose faults are those of the file `name`.
    static func of<Value>(_ name: String?, _ body: () throws(ImageFault) -> Value) throws(ImageCodecError) -> Value {
        do throws(ImageFault) { return try body() } catch { throw ImageCodecError(name: name, fault: error) }
    }
}

/// The fault of a file or of its content; the texts contain the found values.
public enum ImageFault: Error, Sendable, Equatable, Codable, CustomStringConvertible {
    /// The file could not be read from disk; `code` is `errno`.
    case unreadable(operation: String, code: Int32)
    /// Empty file.
    case empty
    /// Neither PNG, JPEG nor HEIC: the appearance of the first bytes.
    case foreign(String)
    /// The file has more bytes than ``DecodingOptions/maximumBytes``.
    case tooManyBytes(found: Int, limit: Int)
    /// The header states more pixels than ``DecodingOptions/maximumPixels``.
    case tooManyPixels(width: Int, height: Int, limit: Int)
    /// The file ends before the picture does.
    case truncated(ImageFormat, String)
    /// The file is whole, its contents make no sense.
    case corrupt(ImageFormat, String)
    /// A valid file of a kind that is not decoded here.
    case unsupported(ImageFormat, String)
    /// The library could not set to work on the file, for want of memory.
    case notStarted(ImageFormat)
    /// The library of HEIC files is not installed: the reason, and the remedy.
    case missing(String)
    /// The library refused to encode.
    case notEncoded(ImageFormat, String)
    /// The metadata of this format cannot be removed without encoding the picture again.
    case notStripped(ImageFormat)

    /// Message with the fault, the expected content and the remedy.
    public var description: String {
        switch self {
        case .unreadable(let operation, let code):
            "\(operation) failed: \(systemMessage(code)); expected a readable PNG, JPEG or HEIC file"
        case .empty: "the file is empty; expected a PNG, JPEG or HEIC image"
        case .foreign(let found): "found \(found); expected a PNG, JPEG or HEIC image, so convert it first"
        case .tooManyBytes(let found, let limit):
            "found \(found) bytes; expected at most \(limit), so shrink the file or raise the limit"
        case .tooManyPixels(let width, let height, let limit):
            "found \(width) × \(height) pixels; expected at most \(limit), so shrink the picture or raise the limit"
        case .truncated(let format, let detail):
            "found a truncated \(format.label) file (\(detail)); expected a whole one, so copy it again"
        case .corrupt(let format, let detail):
            "found a corrupt \(format.label) file (\(detail)); expected an intact one, so export it again"
        case .unsupported(let format, let detail):
            "found \(detail); expected \(format.decodable), so convert it first"
        case .notStarted(let format): "the \(format.label) library could not start; free some memory and try again"
        case .missing(let problem): "HEIC files need \(problem)"
        case .notEncoded(let format, let detail): "could not encode the image as \(format.label): \(detail)"
        case .notStripped(let format):
            "the metadata of a \(format.label) cannot be removed without decoding; decode it and encode it as JPEG"
        }
    }
}
