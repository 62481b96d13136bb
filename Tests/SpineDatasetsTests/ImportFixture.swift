import Foundation
import Imaging
import TestSupport

@testable import DatasetExchange
@testable import SpineDatasets

extension FormatProgram {
    /// Returns a program of the project's folder `Formats`.
    static func named(_ name: String) -> FormatProgram {
        FormatProgram(URL(filePath: #filePath).appending(path: "../../../Formats/\(name)").standardizedFileURL.path)
    }
}

/// Source in a separate folder, and the result of its import.
struct ImportFixture {
    let folder: TemporaryFolder
    private let format: ImportFormat?

    /// A table or JSON Lines.
    init() throws { (folder, format) = (try TemporaryFolder(), nil) }

    /// What a program prints, a line each.
    init(records: [String]) throws {
        folder = try TemporaryFolder()
        try folder.write(records.joined(separator: "\n"), "records.jsonl")
        format = .program(try Self.program("cat \(folder("records.jsonl"))\n", in: folder))
    }

    /// Returns a program of a user, a script.
    static func program(_ script: String, in folder: TemporaryFolder) throws -> FormatProgram {
        try folder.write("#!/bin/sh\n" + script, "my-format")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder("my-format"))
        return FormatProgram(folder("my-format"))
    }

    /// Output of one import.
    struct Outcome {
        var report: ImportReport
        var samples: [Sample]
        var shelves: [Shelf]
        /// The folder that was written.
        var path: String
        /// Keeps it from being removed.
        fileprivate var folder: TemporaryFolder

        func text(of name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }
    }

    /// Writes a picture of a size into the source.
    func picture(_ name: String, width: Int = 40, height: Int = 100) throws {
        try folder.write(Self.png(width: width, height: height), "source/\(name)")
    }

    func write(_ text: String, _ name: String) throws { try folder.write(text, "source/\(name)") }

    /// Imports `source`, or a file in it.
    func imported(
        _ file: String = "",
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> Outcome {
        var options = ImportOptions(date: "2026-01-31", tables: .named("table.py"))
        options.format = format
        change(&options)
        let output = folder("dataset-\(UUID().uuidString)")
        let source = folder(file.isEmpty ? "source" : "source/\(file)")
        let report = try DatasetImporter(options: options).run(source, to: URL(filePath: output))
        return Outcome(
            report: report,
            samples: try Self.lines(of: Sample.self, output + "/samples.jsonl"),
            shelves: try Self.lines(of: Shelf.self, output + "/shelves.jsonl"),
            path: output,
            folder: folder
        )
    }

    /// Returns the faults that an import is refused for, without the folder's path.
    func faults(
        _ file: String = "",
        _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> [String] {
        do {
            _ = try imported(file, change)
            return []
        } catch let error as DatasetError {
            return error.faults.map { "\($0)" }.map {
                $0.replacing(folder.path + "/source/", with: "").replacing(folder.path + "/", with: "")
            }
        }
    }

    static func png(width: Int, height: Int) throws -> [UInt8] {
        try ImageCodec.encodePNG(RasterImage(width: width, height: height, channels: 1, filledWith: 128))
    }

    /// Returns a JPEG of 40 × 20 stored pixels with an EXIF orientation and a comment.
    static func jpeg(orientation: UInt8) throws -> [UInt8] {
        let plain = try ImageCodec.encodeJPEG(
            RasterImage(width: 40, height: 20, channels: 1, filledWith: 90),
            quality: 90
        )
        let exif: [UInt8] =
            Array("Exif\0\0MM".utf8) + [
                0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
            ]
        let comment = Array("taken at home".utf8)
        return plain[..<2] + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
            + [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment + plain[2...]
    }

    static func lines<Value: Decodable>(of type: Value.Type, _ path: String) throws -> [Value] {
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return try data.split(separator: 0x0A).map { try JSONDecoder().decode(type, from: $0) }
    }
}

extension Quad {
    /// Returns a quad from x, y, x, y, ….
    static func of(_ numbers: Double...) -> Quad {
        Quad(
            topLeft: Point(x: numbers[0], y: numbers[1]),
            topRight: Point(x: numbers[2], y: numbers[3]),
            bottomRight: Point(x: numbers[4], y: numbers[5]),
            bottomLeft: Point(x: numbers[6], y: numbers[7])
        )
    }
}
