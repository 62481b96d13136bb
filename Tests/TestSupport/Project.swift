package import Foundation

/// This project's folder.
package enum Project {
    /// The folder that has `Package.swift`.
    package static let folder = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
}
