package import Basics
import Foundation

package struct DeviceLibrary: Sendable, Equatable {
    /// Profiles by the names of their files, folder by folder.
    package private(set) var all: [DeviceProfile] = []

    /// Reads the profiles of folders: every file whose name ends in `.json`.
    ///
    /// `folders`: A device in a later one takes the place of its namesake in an earlier one; in one folder a name may
    /// be there once.
    ///
    /// - Throws: all faults of all files, or the one of a folder that cannot be read.
    package init(folders: [String]) throws(Faults) {
        var faults: [Fault] = []
        for folder in folders {
            var files: [String: String] = [:]
            for name in try Self.names(in: folder) {
                let file = "\(folder)/\(name)"
                do {
                    let profile = try DeviceProfile(file: file)
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
                    faults += error.faults
                }
            }
        }
        if !faults.isEmpty { throw Faults(faults) }
    }

    /// Returns a device by its name; case, spaces and hyphens do not count: "iphone-15-pro".
    ///
    /// - Throws: an error with the name that was probably meant.
    package func named(_ name: String) throws(HarnessError) -> DeviceProfile {
        if let index = index(of: name) { return all[index] }
        throw .configuration("unknown device \"\(name)\"; \(NearName.hint(for: name, among: all.map(\.name)))")
    }

    private func index(of name: String) -> Int? {
        all.firstIndex { FoldedText($0.name).joined == FoldedText(name).joined }
    }

    private static func names(in folder: String) throws(Faults) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw Faults([Fault(file: folder, message: "the folder cannot be read")])
        }
        // Names are compared without the ending, or "iphone-16-pro" would precede "iphone-16".
        return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted().map { $0 + ".json" }
    }
}
