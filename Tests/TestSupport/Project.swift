public import Foundation

/// This project's folder.
public enum Project {
    /// The folder that has `Package.swift`.
    public static let folder = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
}
