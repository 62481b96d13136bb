import Basics

/// A file or address that cannot be captured, and why.
package struct CaptureError: Error, Equatable, CustomStringConvertible {
    package let description: String

    /// Creates an error of a file or an address; control characters of its name are escaped: "a\\nb".
    package init(_ name: String, _ problem: String) {
        let escaped = name.unicodeScalars.map { scalar in
            SafeText.isForbidden(scalar) ? scalar.escaped(asASCII: true) : String(scalar)
        }
        description = "\(escaped.joined()): \(problem)"
    }
}
