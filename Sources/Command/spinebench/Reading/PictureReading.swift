import Basics
import CommandSupport
import Composition
import Foundation
import Harness
import SpineReaders

/// The output files of `read --overlay`: one for each picture, never one of the inputs, and never two of one name.
struct OverlayFiles {
    private let folder: String
    private let inputs: Set<FileIdentity>
    private var taken: Set<String> = []

    /// Creates the folder.
    init(folder: String, pictures: [String]) throws(HarnessError) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw .configuration("--overlay \(folder) cannot be made: \(error.systemReason)")
        }
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

/// What `read` and `shelf` have in common.
enum PictureReading {
    /// Prints the report of each picture, until the output is closed, and fails if some could not be read.
    ///
    /// `read`: returns the text of the report, and whether the picture could be read.
    static func printReports(
        of files: [String],
        _ bar: TimedBar,
        _ read: (String) throws -> (text: String, isRead: Bool),
        atEnd: () throws -> Void = {}
    ) throws {
        var failures = 0
        for (index, file) in files.enumerated() {
            if StandardOutput.hasFailed { return }
            if files.count > 1 { bar.show(index, of: files.count) }
            let (text, isRead) = try read(file)
            if !isRead { failures += 1 }
            bar.clear()
            print(text)
        }
        try atEnd()
        if failures > 0 {
            Console.error("\(failures) of \(files.count) could not be read")
            throw ExitStatus.missed.exitCode
        }
    }

    /// Loads the reader of a variant, if nothing is missing.
    static func load(_ variant: ComposedVariant) throws -> LoadedReader {
        try variant.settings.check(variant.name)
        let settings = try variant.reading
        if settings.engine == .openVINO, let notice = Installation.firstRunNotice { Console.standardError(notice) }
        return try settings.load()
    }
}
