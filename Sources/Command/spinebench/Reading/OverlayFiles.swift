import CommandSupport
import Foundation

/// The output files of `read --overlay`: one for each picture, never one of the inputs, and never two of one name.
struct OverlayFiles {
    private let folder: String
    private let inputs: Set<FileIdentity>
    private var taken: Set<String> = []

    init(folder: String, pictures: [String]) {
        self.folder = folder
        inputs = Set(pictures.compactMap(FileIdentity.init))
    }

    /// Returns the path for a picture: `photo.jpg.overlay.svg`, or `photo.jpg-2.overlay.svg` where that is taken.
    ///
    /// The picture's whole name is in it: `photo.jpg` and `photo.png` of one folder stay apart, from run to run.
    mutating func path(for picture: String) -> String {
        let name = URL(fileURLWithPath: picture).lastPathComponent
        var number = 1
        while true {
            let path = "\(folder)/\(name)\(number == 1 ? "" : "-\(number)").overlay.svg"
            // Case does not count on some file systems.
            let isTaken = taken.contains(path.lowercased()) || FileIdentity(path).map(inputs.contains) ?? false
            if !isTaken {
                taken.insert(path.lowercased())
                return path
            }
            number += 1
        }
    }
}
