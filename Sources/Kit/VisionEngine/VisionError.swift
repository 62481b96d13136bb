#if canImport(Vision)
package enum VisionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Core Graphics does not take an image of this size, in pixels.
    case imageUnusable(width: Int, height: Int)
    /// Vision failed on an image of this size, in pixels, with an error of its own.
    case recognitionFailed(domain: String, code: Int, message: String, width: Int, height: Int)

    /// Message with the fault, its place and the remedy.
    package var description: String {
        switch self {
        case .imageUnusable(let width, let height):
            "cannot hand an image of \(width)×\(height) pixels to Vision; give it a smaller crop"
        case .recognitionFailed(let domain, let code, let message, let width, let height):
            """
            Vision failed on an image of \(width)×\(height) pixels (\(domain) \(code)): \(message); check that it \
            supports the languages asked for
            """
        }
    }
}
#endif
