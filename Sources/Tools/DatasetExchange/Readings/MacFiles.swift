/// Files that macOS adds to folders and archives beside those of their owner.
package enum MacFiles {
    /// Returns whether a path is of such a file: `._NAME`, anything below `__MACOSX`, or `.DS_Store`.
    ///
    /// Source: AppleDouble, RFC 1740, as `tar`, `zip` and the Finder write it.
    package static func contains(_ path: String) -> Bool {
        let steps = path.split(separator: "/")
        return steps.contains("__MACOSX") || steps.last == ".DS_Store" || steps.last?.hasPrefix("._") == true
    }
}
