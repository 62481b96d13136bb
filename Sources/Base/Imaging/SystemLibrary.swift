#if canImport(Glibc)
import Glibc
#endif

/// Library of the system that may be missing: a program of the wheel opens it when it is first needed.
///
/// Elsewhere it is linked, and always there.
package struct SystemLibrary: Sendable {
    /// Reason and remedy when it is missing.
    package let problem: String?

    init(_ file: String, package: String) {
        #if canImport(Glibc)
        // Global: the program's own calls find its functions.
        let isOpen = dlopen(file, RTLD_NOW | RTLD_GLOBAL) != nil
        problem = isOpen ? nil : "\(String(cString: dlerror())); install it (in Debian and Ubuntu \(package))"
        #else
        problem = nil
        #endif
    }

    package static let heif = SystemLibrary("libheif.so.1", package: "libheif1")
    package static let tesseract = SystemLibrary("libtesseract.so.5", package: "tesseract-ocr")
    package static let pango = SystemLibrary("libpangocairo-1.0.so.0", package: "libpangocairo-1.0-0")
}
