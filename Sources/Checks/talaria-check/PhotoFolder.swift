import Foundation

/// Photos in the order of their names, as often as they are needed.
struct PhotoFolder: Sendable {
    private let photos: [[UInt8]]

    /// - Parameter path: of a folder.
    /// - Throws: `CheckFailure` when there are none.
    init(path: String) throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        photos = names.sorted().prefix(200).compactMap { name in
            guard name.hasSuffix(".jpg") || name.hasSuffix(".png") else { return nil }
            return FileManager.default.contents(atPath: "\(path)/\(name)").map { [UInt8]($0) }
        }
        guard !photos.isEmpty else {
            throw CheckFailure("there are no .jpg or .png files in \(path); name a folder with --photos")
        }
    }

    subscript(index: Int) -> [UInt8] { photos[index % photos.count] }
}
