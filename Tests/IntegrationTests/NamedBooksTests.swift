import Foundation
import Imaging
import SpineReaders
import TestSupport
import Testing

/// Pictures read by every command, the harness and the back end: all of them name the same books.
@Suite(.tags(.program), .serialized, .needsNetworks)
struct NamedBooksTests {
    private static let datasets = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Datasets").path
    /// Photos of the kinds that are distinguished by their shape: a shelf, single spines, and neither of them.
    private static let pictures = [
        "shelves-1/shelves/shelf-00003.jpg", "spines-1/images/spine-00001.jpg", "spines-1/images/spine-00002.jpg",
        "spines-1/images/spine-00003.jpg", "spines-1/images/spine-00004.jpg",
    ]

    /// Returns a folder with the pictures, and one of the spines on a square ground, which has the shape of a cover.
    private func withPictures(_ body: (Folder, [String]) throws -> Void) throws {
        try Folder.with { folder in
            var paths: [String] = []
            for picture in Self.pictures {
                let path = folder((picture as NSString).lastPathComponent)
                try FileManager.default.copyItem(atPath: "\(Self.datasets)/\(picture)", toPath: path)
                paths.append(path)
            }
            let spine = try ImageCodec.decode(contentsOf: paths[1]).image.rgb()
            let side = max(spine.width, spine.height)
            var cover = RasterImage(width: side, height: side, channels: 3, filledWith: 255)
            for y in 0..<spine.height {
                let row = spine.pixels[y * spine.width * 3..<(y + 1) * spine.width * 3]
                cover.pixels.replaceSubrange(y * side * 3..<y * side * 3 + row.count, with: row)
            }
            try folder.write(try ImageCodec.encodePNG(cover), to: "cover.png")
            try body(folder, paths + [folder("cover.png")])
        }
    }

    private func objects(_ output: String) throws -> [[String: Any]] {
        try output.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    /// Returns titles by picture, sorted: a shelf may have a book twice, which a search shows once.
    private func titles(_ found: [(path: String, title: String)]) -> [String: [String]] {
        Dictionary(grouping: found) {
            ($0.path as NSString).lastPathComponent.split(separator: "#").first.map(String.init) ?? ""
        }
        .mapValues { Set($0.map(\.title)).sorted() }
    }

    private func shelf(_ paths: [String], _ variant: String) throws -> [String: [String]] {
        let call = try Program.run(["shelf", "--json", "--variant", variant] + paths)
        #expect(call.code == 0, "\(call.errors)")
        return titles(
            try objects(call.output).flatMap { report in
                ((report["books"] as? [[String: Any]]) ?? []).filter { $0["state"] as? String == "book" }.map { book in
                    (report["path"] as? String ?? "", book["title"] as? String ?? "")
                }
            }
        )
    }

    private func scan(_ folder: Folder, _ paths: [String], _ more: [String]) throws -> [String: [String]] {
        let library = ["--library", folder("library-\(more.count).sqlite")]
        let call = try Program.run(["scan", "--json"] + library + more + paths)
        return titles(
            try objects(call.output).compactMap { report in
                // A title of less confidence was composed from the text by the back end: it is not a match.
                guard let path = report["path"] as? String, let title = report["title"] as? String,
                    report["confidence"] as? Double ?? 0 >= 0.6
                else { return nil }
                return (path, title)
            }
        )
    }

    private func find(_ paths: [String]) throws -> [String: [String]] {
        let call = try Program.run(["find", "--json", "--forget"] + paths)
        #expect([0, 1].contains(call.code), "\(call.errors)")
        return titles(
            try objects(call.output).flatMap { report in
                ((report["results"] as? [[String: Any]]) ?? []).filter { $0["place"] != nil }.map { book in
                    (report["path"] as? String ?? "", book["title"] as? String ?? "")
                }
            }
        )
    }

    /// Returns titles that the harness's systems answer with, of a dataset of the same pictures.
    private func measured(
        _ folder: Folder,
        _ variant: String,
        _ labels: (file: String, lines: [String])
    ) throws
        -> [String: [String]]
    {
        try folder.write(labels.lines.joined(separator: "\n") + "\n", to: labels.file)
        let out = folder("run-\(variant)")
        let call = try Program.run(
            [
                "run", "--dataset", folder.path, "--out", out, "--variants", variant, "--warmup", "1", "--repetitions",
                "1",
            ]
        )
        #expect([0, 1, 3].contains(call.code), "\(call.errors)")
        try FileManager.default.removeItem(atPath: folder(labels.file))
        return try titles(
            objects(String(contentsOfFile: "\(out)/samples.jsonl", encoding: .utf8)).flatMap { record in
                let prediction = record["prediction"] as? [String: Any] ?? [:]
                let spines = prediction["spines"] as? [[String: Any]] ?? [prediction]
                return spines.compactMap { spine in
                    (spine["answer"] as? [String: Any]).map {
                        ("\(record["id"] as? String ?? "").jpg", $0["title"] as? String ?? "")
                    }
                }
            }
        )
    }

    /// Runs the back end while `body` runs; gives its address.
    private func withServer(_ folder: Folder, _ body: (String) throws -> Void) throws {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Program.path(of: "talaria")))
        process.arguments = [
            "serve", "--port", "0", "--port-file", folder("port"), "--rate-limit", "off", "--log-level", "error",
        ]
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        while process.isRunning, !folder.contains("port") { usleep(20_000) }
        try body(try folder.text(of: "port").trimmingCharacters(in: .whitespacesAndNewlines))
    }

    @Test func everyCommandAndTheHarnessNameTheSameBooks() throws {
        try withPictures { folder, paths in
            let expected = try shelf(paths, "fast")
            // The embedded catalogue has most books of Datasets/shelves-1 and spines-1.
            #expect((expected["shelf-00003.jpg"]?.count ?? 0) >= 3 && expected.count >= 3, "\(expected)")
            #expect(try scan(folder, paths, ["--variant", "on-device-only"]) == expected)
            #expect(try find(paths) == expected)

            func label(_ id: String, _ file: String) throws -> String {
                let text = try String(contentsOfFile: "\(Self.datasets)/\(file)", encoding: .utf8)
                let line = text.split(separator: "\n").first { $0.contains("\"id\":\"\(id)\"") }
                return String(try #require(line)).replacing("\"shelves/", with: "\"").replacing("\"images/", with: "\"")
            }
            let shelf = try [label("shelf-00003", "shelves-1/shelves.jsonl")]
            let onShelf = try measured(folder, "shelf-fast,catalogue=embedded", ("shelves.jsonl", shelf))
            #expect(onShelf == expected.filter { $0.key == "shelf-00003.jpg" })
            let spines = try (1...4).map { try label("spine-0000\($0)", "spines-1/samples.jsonl") }
            for variant in ["on-device-only", "visual-search"] {
                let found = try measured(folder, "\(variant),catalogue=embedded", ("samples.jsonl", spines))
                #expect(found == expected.filter { $0.key.hasPrefix("spine") }, "\(variant)")
            }
        }
    }

    /// The back end reads with `accurate`; its names are those of `accurate` here.
    @Test func theBackEndNamesTheSameBooks() throws {
        try withPictures { folder, paths in
            let expected = try shelf(paths, "accurate")
            try withServer(folder) { address in
                let found = try scan(folder, paths, ["--variant", "talaria-only", "--talaria", address])
                #expect(found == expected)
            }
        }
    }
}
