import ArgumentParser
import Basics
import CommandSupport
import Foundation
import Harness
import Imaging
import SpineDatasets
import SpineReaders
import Systems

/// What `read` and `shelf` have in common.
struct PictureReading: ParsableArguments {
    @Argument(help: .value("path", "Pictures, and folders of them."))
    var paths: [String]

    @Flag(help: "Print JSON Lines.")
    var json = false

    @Option(help: .value("dir", "Folder for SVGs with the results drawn on each picture."))
    var overlay: String?

    /// Returns the pictures, and says what else the folders have.
    func pictures(_ part: Part? = nil) throws -> [String] {
        var pictures = try PictureFiles(paths)
        if let part { pictures.keep(part) }
        for line in pictures.skipped { Console.standardError(line) }
        return pictures.paths
    }

    /// Loads the reader of a variant, if nothing is missing.
    static func load(_ variant: ComposedVariant) throws -> LoadedReader {
        try variant.settings.check(variant.name)
        let settings = try variant.reading
        if settings.engine == .openVINO, let notice = Installation.firstRunNotice { Console.standardError(notice) }
        return try settings.load()
    }

    /// Prints the report of each picture, until the output is closed, and fails if some could not be read.
    func printReports(
        of files: [String],
        _ bar: ProgressDisplay = ProgressDisplay(),
        _ read: (_ path: String, _ bytes: [UInt8]) throws -> PictureReport,
        atEnd: () throws -> Void = {}
    ) throws {
        var overlays = try overlay.map { try OverlayFiles(folder: $0, pictures: files) }
        var failures = 0
        for (index, file) in files.enumerated() {
            if StandardOutput.hasFailed { return }
            if files.count > 1 { bar.show(index, of: files.count) }
            var report = PictureReport(path: file)
            do {
                let bytes = try InputFile.bytes(file)
                report = try read(file, bytes)
                if let path = overlays?.path(for: file) {
                    let image = try ImageCodec.decode(bytes, name: file).image
                    try OutputFile(path, option: "--overlay", over: files).write(Overlay(of: report).svg(over: image))
                    report.overlay = path
                }
            } catch {
                report.error = error.systemReason
                failures += 1
            }
            bar.clear()
            print(json ? try JSONText.line(report) : report.text)
        }
        try atEnd()
        if failures > 0 {
            Console.error("\(failures) of \(files.count) could not be read")
            throw ExitStatus.missed.exitCode
        }
    }
}

/// The files of `--overlay`: one for each picture, never one of the inputs, and never two of one name.
private struct OverlayFiles {
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
    mutating func path(for picture: String) -> String? {
        let name = URL(fileURLWithPath: picture).lastPathComponent
        let paths = (1...).lazy.map { [folder] in "\(folder)/\(name)\($0 == 1 ? "" : "-\($0)").overlay.svg" }
        // Case does not count on some file systems.
        let path = paths.first { !taken.contains($0.lowercased()) && !(FileIdentity($0).map(inputs.contains) ?? false) }
        if let path { taken.insert(path.lowercased()) }
        return path
    }
}
