import Basics
import Foundation

package struct DeviceLibrary: Sendable, Equatable {
    /// Profiles by the names of their files, folder by folder.
    package private(set) var all: [DeviceProfile] = []

    /// Reads the profiles of folders: every file whose name ends in `.json`.
    ///
    /// `folders`: A device in a later one takes the place of its namesake in an earlier one; in one folder a name may
    /// be there once.
    ///
    /// - Throws: `DeviceError` with all faults of all files, or when a folder cannot be read.
    package init(folders: [String]) throws(DeviceError) {
        var faults: [Fault] = []
        for folder in folders {
            var files: [String: String] = [:]
            for name in try Self.names(in: folder) {
                do {
                    let file = "\(folder)/\(name)"
                    let profile = try Self.profile(file: file)
                    if let other = files.updateValue(file, forKey: FoldedText(profile.name).joined) {
                        let problem =
                            "\"\(profile.name)\" is also in \(other); expected one profile per device in a folder"
                        faults.append(Fault(file: file, at: nil, path: "name", problem))
                    } else if let index = index(of: profile.name) {
                        all[index] = profile
                    } else {
                        all.append(profile)
                    }
                } catch {
                    guard case .profiles(let more) = error else { throw error }
                    faults += more
                }
            }
        }
        if !faults.isEmpty { throw .profiles(faults) }
    }

    /// Returns the profile in a file, with every figure in its range.
    ///
    /// - Throws: `DeviceError` with all faults, or when it cannot be read.
    package static func profile(file: String) throws(DeviceError) -> DeviceProfile {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw .unreadable(path: file, reason: "the file cannot be read")
        }
        return try DeviceProfile.parse([UInt8](data), file: file)
    }

    /// Returns a device by its name; case, spaces and hyphens do not count: "iphone-15-pro".
    ///
    /// - Throws: `DeviceError.unknown`, with the name that was probably meant.
    package func named(_ name: String) throws(DeviceError) -> DeviceProfile {
        if let index = index(of: name) { return all[index] }
        throw .unknown(name, hint: NearName.hint(for: name, among: all.map(\.name)))
    }

    private func index(of name: String) -> Int? {
        all.firstIndex { FoldedText($0.name).joined == FoldedText(name).joined }
    }

    private static func names(in folder: String) throws(DeviceError) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw .unreadable(path: folder, reason: "the folder cannot be read")
        }
        // Names are compared without the ending, or "iphone-16-pro" would precede "iphone-16".
        return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted().map { $0 + ".json" }
    }
}
