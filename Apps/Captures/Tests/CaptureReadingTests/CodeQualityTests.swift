import Basics
import Foundation
import Imaging
import TestSupport
import Testing

@testable import CaptureReading

/// Share of codes that are read, at any angle, of 2 to 6 pixels a module, with noise and little contrast.
///
/// `SPINEBENCH_SIZE` times 120 pictures are drawn; `SPINEBENCH_CODES` is a folder of others, of scripts/codes-peer.py.
@Suite struct CodeQualityTests {
    private struct Drawn {
        var symbology: FoundCode.Symbology
        var payload: String
        var image: RasterImage
    }

    /// QR codes of versions 1 to 6 and all levels of correction, made by Python's qrcode 8.2: payload, and rows of modules.
    private static func codes() throws -> [(payload: String, code: DrawnCode)] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/qr", withExtension: "txt"))
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            let modules = words[1...].map { row in row.map { $0 == "#" } }
            return (words[0], DrawnCode(modules: modules, quiet: 4))
        }
    }

    private func drawn(_ number: Int, _ codes: [(payload: String, code: DrawnCode)]) -> Drawn {
        var random = SplitMix64(state: UInt64(number) + 20)
        func digits(_ count: Int) -> String { (0..<count).map { _ in "\(random.below(10))" }.joined() }
        let (symbology, payload, code): (FoundCode.Symbology, String, DrawnCode)
        switch number % 3 {
        case 0:
            let qr = codes[number / 3 % codes.count]
            (symbology, payload, code) = (.qr, qr.payload, qr.code)
        case 1:
            // One that begins with 0 is a UPC-A, which is read as its twelve digits.
            let first = "\(1 + random.below(9))" + digits(11)
            let sum = first.enumerated().reduce(0) { $0 + ($1.element.wholeNumberValue ?? 0) * (1 + $1.offset % 2 * 2) }
            payload = first + "\((10 - sum % 10) % 10)"
            (symbology, code) = (.ean13, .ean13(payload))
        default:
            let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789-./")
            payload = String((0..<4 + random.below(11)).map { _ in letters[random.below(letters.count)] })
            (symbology, code) = (.code128, .code128(payload))
        }
        func share(_ range: ClosedRange<Double>) -> Double {
            range.lowerBound + random.nextDouble() * (range.upperBound - range.lowerBound)
        }
        let degrees = share(0...360)
        let (cosine, sine) = (abs(cos(degrees * .pi / 180)), abs(sin(degrees * .pi / 180)))
        let (wide, high) = (
            Double(code.modules[0].count + 2 * code.quiet), Double(code.modules.count + 2 * code.quiet)
        )
        let fitting = min(600 / (wide * cosine + high * sine), 450 / (wide * sine + high * cosine))
        let contrast = share(90...235)
        let light = share(max(150, contrast + 5)...250)
        var image = RasterImage.plain(640, 480, UInt8(share(60...220)))
        image.draw(
            code,
            x: 320,
            y: 240,
            degrees: degrees,
            scale: min(share(2...6), fitting),
            dark: light - contrast,
            light: light
        )
        image.addNoise(share(0...8), seed: UInt64(number))
        return Drawn(symbology: symbology, payload: payload, image: image)
    }

    @Test func fortyNineOfFiftyAreRead() throws {
        let codes = try Self.codes()
        expectRead((0..<120 * TestSize.factor).map { drawn($0, codes) })
    }

    private static let folder = ProcessInfo.processInfo.environment["SPINEBENCH_CODES"]

    @Test(.enabled(if: folder != nil, "SPINEBENCH_CODES names no folder")) func soAreThoseOfAFolder() throws {
        let folder = try #require(Self.folder)
        let rows = try String(contentsOfFile: "\(folder)/truth.csv", encoding: .utf8).split(whereSeparator: \.isNewline)
        expectRead(
            try rows.dropFirst().map { row in
                let cells = row.split(separator: ",").map(String.init)
                return Drawn(
                    symbology: try #require(FoundCode.Symbology(rawValue: cells[1])),
                    payload: cells[2],
                    image: try ImageCodec.decode(contentsOf: "\(folder)/\(cells[0])").image
                )
            }
        )
    }

    private func expectRead(_ pictures: [Drawn]) {
        var (quality, times) = (Quality(), CallTimes())
        for (number, drawn) in pictures.enumerated() {
            let found = times.measure { CodeFinder.codes(in: drawn.image) }
            let isRead = found.contains { $0.payload == drawn.payload && $0.symbology == drawn.symbology }
            quality.add(isRead, "\(number): \(drawn.payload), found \(found.map(\.payload))")
        }
        quality.expect("codes read", atLeast: 98)
        if TestSize.isMeasured { print("ms on the processor, P95: \(times.processor(95))") }
    }
}
