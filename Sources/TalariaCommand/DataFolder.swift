import Foundation

/// Where the job database is: a folder that was named, or one that goes with the process.
struct DataFolder {
    let path: String
    private let isTemporary: Bool

    /// - Parameter path: nil for a temporary one.
    /// - Throws: when no temporary folder can be made.
    init(path: String?) throws {
        isTemporary = path == nil
        guard let path else {
            self.path =
                FileManager.default.temporaryDirectory
                .appendingPathComponent("talaria-data-\(UUID().uuidString.lowercased())").path
            try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
            return
        }
        self.path = path
    }

    func removeIfTemporary() {
        guard isTemporary else { return }
        try? FileManager.default.removeItem(atPath: path)
    }
}
