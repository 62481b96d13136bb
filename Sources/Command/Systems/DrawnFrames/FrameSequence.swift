import Basics
import CommandSupport
import Foundation
package import Harness
package import Imaging
import SpineDatasets

/// Frames of a camera, which repeat after their end.
package struct FrameSequence: Sendable {
    package let files: FrameFile
    /// Frame rate of the recording; nil for pictures that are not a sequence.
    package let framesPerSecond: Int?
    /// Spine of each frame of a drawn sequence, and whether it is in view.
    package let views: [PannedSpines.View]?

    /// The guide's share of a drawn frame.
    package static let strip = PannedSpines.strip

    init(_ files: FrameFile, framesPerSecond: Int? = nil, views: [PannedSpines.View]? = nil) {
        (self.files, self.framesPerSecond, self.views) = (files, framesPerSecond, views)
    }

    /// Frames of a drawn or recorded sequence in a time, each once.
    package func count(at rate: Int) -> Int {
        framesPerSecond.map { (files.count * rate + $0 - 1) / $0 } ?? files.count
    }

    /// Returns the place of a frame among the files; the sequence repeats after its end.
    package func place(of number: Int, at rate: Int) -> Int {
        (framesPerSecond.map { number * $0 / rate } ?? number) % files.count
    }

    /// Returns the picture of a frame, counted from 0; `rate`: frames a second of the camera.
    package func picture(of number: Int, at rate: Int) throws -> RasterImage {
        try ImageCodec.decode(files.picture(place(of: number, at: rate)), name: "frame \(number)").image
    }

    /// Frames of a camera that is aimed at spines.
    package static func drawn(_ spines: [WorkerPicture], seed: UInt64) throws -> FrameSequence {
        let files = try FrameFile()
        let views = try PannedSpines(spines, seed: seed, keep: files.append).views
        return FrameSequence(files, framesPerSecond: PannedSpines.framesPerSecond, views: views)
    }
}

extension FrameSequence {
    /// Text for display: "300 frames, drawn".
    package var text: String { NumberText.count(files.count, "frame") + (views == nil ? "" : ", drawn") }

    /// The long side that larger pictures of a folder are made smaller to, in pixels: a phone's preview.
    private static let longSide = 1_920
    private static let prefix = "pan:"

    /// `source`: a folder of pictures, a file `.y4m`, or `pan:` and a folder or dataset of spines to aim at.
    ///
    /// `pictures`: maximum number of drawn spines. `seed`: of the drawing.
    package init(_ source: String, pictures: Int, seed: UInt64) throws {
        if source.hasPrefix(Self.prefix) {
            self = try Self.drawn(String(source.dropFirst(Self.prefix.count)), pictures: pictures, seed: seed)
        } else if source.lowercased().hasSuffix(".y4m") {
            self = try Self.recorded(source)
        } else {
            self = try Self.folder(source)
        }
    }

    private static func drawn(_ path: String, pictures: Int, seed: UInt64) throws -> FrameSequence {
        guard FileManager.default.fileExists(atPath: path) else {
            throw HarnessError.configuration(
                "--frames \(prefix)\(path): \(path) not found; specify a folder of pictures, or a dataset"
            )
        }
        do {
            let spines =
                FileManager.default.fileExists(atPath: "\(path)/samples.jsonl")
                ? try DrawnLabel.spines(in: path)
                : try PictureFiles([path]).paths.map { WorkerPicture(path: $0, name: $0) }
            guard !spines.isEmpty else { throw HarnessError.configuration("\(path) has no picture of a legible spine") }
            return try drawn(Array(spines.prefix(pictures)), seed: seed)
        } catch  where error is HarnessError || error is InputError {
            throw error
        } catch {
            throw HarnessError.configuration("--frames \(prefix)\(path): \(error.systemReason)")
        }
    }

    private static func folder(_ path: String) throws -> FrameSequence {
        let files = try FrameFile()
        for file in try PictureFiles([path]).paths {
            do {
                let image = try ImageCodec.decode(try InputFile.bytes(file), name: file).image
                let long = max(image.width, image.height)
                func side(_ length: Int) -> Int { max(1, length * longSide / long) }
                let small =
                    long > longSide ? image.resized(width: side(image.width), height: side(image.height)) : image
                try files.append(try ImageCodec.encodeJPEG(small, quality: 95))
            } catch  where error is HarnessError || error is InputError {
                throw error
            } catch {
                throw HarnessError.configuration("\(error.systemReason); remove it from the folder, or repair it")
            }
        }
        return FrameSequence(files)
    }

    /// Returns the luma of a YUV4MPEG2 file of 8 bits, as `ffmpeg -i video.mov video.y4m` writes it.
    private static func recorded(_ path: String) throws -> FrameSequence {
        func problem(_ text: String) -> HarnessError {
            .configuration("\(path): \(text); make one with: ffmpeg -i VIDEO -pix_fmt yuv420p FILE.y4m")
        }
        let bytes = try InputFile.bytes(path)
        func line(at start: Int) -> (words: [Substring], end: Int)? {
            guard let end = bytes[start...].prefix(200).firstIndex(of: 0x0A) else { return nil }
            return (String(decoding: bytes[start..<end], as: UTF8.self).split(separator: " "), end + 1)
        }
        guard let (head, start) = line(at: 0), head.first == "YUV4MPEG2" else {
            throw problem("is not a YUV4MPEG2 video")
        }
        func value(_ letter: Character) -> Substring? { head.dropFirst().first { $0.first == letter }?.dropFirst() }
        let rate = (value("F") ?? "").split(separator: ":").compactMap { Double($0) }
        guard let width = value("W").flatMap({ Int($0) }), let height = value("H").flatMap({ Int($0) }),
            (1...16_384).contains(width), (1...16_384).contains(height), rate.count == 2, rate[1] > 0
        else { throw problem("has no width, height or frame rate in its header") }
        let framesPerSecond = Int((rate[0] / rate[1]).rounded())
        guard (1...1_000).contains(framesPerSecond) else {
            throw problem("has \(framesPerSecond) frames per second; expected 1 to 1000")
        }
        let colours = String(value("C") ?? "420")
        let chroma = ((width + 1) / 2) * ((height + 1) / 2) * 2
        guard let rest = ["420": chroma, "420jpeg": chroma, "420mpeg2": chroma, "420paldv": chroma, "mono": 0][colours]
        else { throw problem("has colour format \(colours); expected 420 or mono") }
        let files = try FrameFile()
        var place = start
        while place < bytes.count {
            guard let (words, pixels) = line(at: place), words.first == "FRAME",
                pixels + width * height + rest <= bytes.count
            else { throw problem("is truncated in frame \(files.count + 1)") }
            let luma = Array(bytes[pixels..<pixels + width * height])
            let image = RasterImage(width: width, height: height, channels: 1, pixels: luma)
            do {
                try files.append(try ImageCodec.encodeJPEG(image, quality: 95))
            } catch {
                throw problem("\(error)")
            }
            place = pixels + width * height + rest
        }
        guard files.count > 0 else { throw problem("has no frames") }
        return FrameSequence(files, framesPerSecond: framesPerSecond)
    }
}

/// A line of `samples.jsonl`, as far as drawn frames need it.
private struct DrawnLabel: Decodable {
    var image: String
    var group: String?
    var outline: Quad?
    var legible: Bool?

    /// Returns the legible spines of a dataset, of whose pictures nothing is read; the name of each is that of its
    /// photograph.
    static func spines(in folder: String) throws -> [WorkerPicture] {
        let name = URL(filePath: folder).standardizedFileURL.lastPathComponent
        let store = try PictureStore(folder)
        return try Data(contentsOf: URL(filePath: "\(folder)/samples.jsonl")).split(separator: 0x0A)
            .map { try JSONDecoder().decode(DrawnLabel.self, from: $0) }.filter { $0.legible != false }.map { label in
                let source = store.source(of: label.image)
                return WorkerPicture(
                    path: source.path,
                    part: source.part,
                    name: "\(name)/\(label.group ?? label.image)",
                    outline: label.outline
                )
            }
    }
}
