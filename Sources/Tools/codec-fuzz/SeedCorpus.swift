import Foundation
import Imaging

/// Complete images from which mutants are made.
enum SeedCorpus {
    /// Larger files are omitted: a run would decode few mutants of them, and slowly.
    private static let maximumFileSize = 4 << 20

    /// Images made here, then every PNG, JPEG and HEIC directly in the folders, by name.
    static func load(_ folders: [String]) throws(FuzzError) -> [[UInt8]] {
        var seeds = try made()
        for folder in folders {
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            } catch {
                throw .unreadableFolder(folder, reason: error.localizedDescription)
            }
            for name in names {
                guard let data = FileManager.default.contents(atPath: folder + "/" + name),
                    data.count <= maximumFileSize
                else { continue }
                let bytes = [UInt8](data)
                if (try? ImageCodec.header(of: bytes, name: name)) != nil { seeds.append(bytes) }
            }
        }
        return seeds
    }

    private static func made() throws(FuzzError) -> [[UInt8]] {
        do {
            return try [(1, 1), (7, 5), (64, 48), (301, 40)].flatMap { width, height in
                let colour = pattern(width: width, height: height)
                return try [
                    ImageCodec.encodePNG(colour), ImageCodec.encodePNG(colour.luma()),
                    ImageCodec.encodeJPEG(colour, quality: 80), ImageCodec.encodeJPEG(colour, quality: 95),
                    ImageCodec.encodeJPEG(colour.luma(), quality: 80),
                ]
            }
        } catch {
            throw .notEncoded("\(error)")
        }
    }

    private static func pattern(width: Int, height: Int) -> RasterImage {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                pixels += [x &* 5, y &* 7, (x ^ y) &* 3].map { UInt8(truncatingIfNeeded: $0) }
            }
        }
        return RasterImage(width: width, height: height, channels: 3, pixels: pixels)
    }
}
