package import Basics
import CZBar
import Foundation
package import Imaging

package struct FoundCode: Sendable, Equatable {
    package enum Symbology: String, Sendable, Codable, CaseIterable {
        case qr = "QR-Code"
        case ean13 = "EAN-13"
        case ean8 = "EAN-8"
        case upcA = "UPC-A"
        case upcE = "UPC-E"
        case code128 = "CODE-128"
    }

    package var symbology: Symbology
    /// Content: text, or the digits; of one part of several (Structured Append), the parts that were found, with "…"
    /// between two where one is missing.
    package var payload: String
    /// Whether it is one of several codes that hold a text together, and not all of them were found.
    package var isPartial = false
    /// Whether the content is marked as GS1 application identifiers (FNC1 in first position).
    var isGS1 = false
    /// Left edge of the bounding box: pixels of the picture, y down, axis-aligned around the decoded part.
    package var minX: Int = 0
    /// See `minX`.
    package var minY: Int = 0
    /// See `minX`; exclusive.
    package var maxX: Int = 0
    /// See `minX`; exclusive.
    package var maxY: Int = 0
    /// Outline of the decoded part, which may be turned; nil where it has none.
    var outline: Quad?

    /// Returns whether the middle of a line is within its pattern: what was read there is no text.
    package func covers(_ line: Quad) -> Bool { outline?.contains(line.centre) ?? false }
}

/// Detector and reader of QR and bar codes at any angle.
///
/// The scanner (libzbar) reads QR codes at any angle, and bars along rows and columns only. So a picture's rows are read
/// at 45°, 22.5° and 67.5°, too, and across them: no bars are more than 11.25° off. Where nothing is found, light codes
/// on dark ground are sought, and then all of it at least twice as large. Nothing is shared between calls.
package enum CodeFinder {
    /// Long side of a picture in the first pass, in pixels.
    static let firstLongSide = 1_000
    /// Most pixels of the long side in the second pass.
    static let longestSide = 3_000

    private static let angles = [45, 22.5, 67.5]

    /// Returns the codes of a picture from the top left to the bottom right, each content once; at most 64.
    package static func codes(in image: RasterImage) -> [FoundCode] {
        let longSide = max(image.width, image.height)
        let first = min(longSide, firstLongSide)
        let codes = codes(in: image, longSide: first, angles)
        return codes.isEmpty
            ? self.codes(in: image, longSide: min(max(longSide, 2 * first), longestSide), angles) : codes
    }

    /// Returns the codes of a camera's frame, for which one angle is enough: the next frame has another `turn`.
    package static func codes(in frame: RasterImage, turn: Int) -> [FoundCode] {
        codes(in: frame, longSide: min(max(frame.width, frame.height), firstLongSide), [angles[turn % angles.count]])
    }

    private static func codes(in image: RasterImage, longSide: Int, _ angles: [Double]) -> [FoundCode] {
        guard min(image.width, image.height) > 8 else { return [] }
        let scale = Double(longSide) / Double(max(image.width, image.height))
        func side(_ length: Int) -> Int { max(1, Int((Double(length) * scale).rounded())) }
        var grey = image.luma()
        if scale != 1 { grey = grey.resized(width: side(image.width), height: side(image.height)) }
        let dark = codes(in: grey, angles)
        if dark.isEmpty { for index in grey.pixels.indices { grey.pixels[index] = 255 - grey.pixels[index] } }
        return sorted((dark.isEmpty ? codes(in: grey, angles) : dark).map { $0.scaled(by: 1 / scale, within: image) })
    }

    private static func codes(in grey: RasterImage, _ angles: [Double]) -> [FoundCode] {
        scan(grey, for: .all)
            + angles.flatMap { [$0, $0 + 90] }.flatMap { degrees in
                let rows = TurnedRows(grey, degrees: degrees)
                return scan(rows.image, for: .bars).map { $0.placed(rows) }
            }
    }

    /// Returns the codes by their places, each content once: where it covers most, as a row may have met one end alone.
    private static func sorted(_ codes: [FoundCode]) -> [FoundCode] {
        var seen: Set<String> = []
        return codes.sorted { $0.area > $1.area }
            .filter { seen.insert("\($0.symbology.rawValue) \($0.payload)").inserted }
            .sorted { ($0.minY, $0.minX, $0.payload) < ($1.minY, $1.minX, $1.payload) }.prefix(64).map(\.self)
    }

    private enum Look { case all, bars }

    private static func scan(_ plane: RasterImage, for look: Look) -> [FoundCode] {
        let found = symbols(plane, for: look, isBinary: true)
        let isPlain = found.allSatisfy {
            $0.code.symbology != .qr || String(validating: $0.content, as: UTF8.self) != nil
        }
        // Bytes that ZBar transcodes are known only from a second scan; it finds the same in the same order.
        let guesses = isPlain ? [] : symbols(plane, for: look, isBinary: false)
        return found.enumerated().compactMap { index, symbol in
            symbol.code(guess: guesses.count == found.count ? guesses[index].content : [])
        }
    }

    private static func symbols(_ plane: RasterImage, for look: Look, isBinary: Bool) -> [ScannedSymbol] {
        guard let scanner = zbar_image_scanner_create() else { return [] }
        defer { zbar_image_scanner_destroy(scanner) }
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        for (kind, symbology) in kinds where look == .all || symbology != .qr {
            zbar_image_scanner_set_config(scanner, zbar_symbol_type_t(kind), ZBAR_CFG_ENABLE, 1)
        }
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, isBinary ? 1 : 0)
        // No columns: they are the rows of another angle.
        if look == .bars { zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_X_DENSITY, 0) }
        guard let image = zbar_image_create() else { return [] }
        defer { zbar_image_destroy(image) }
        // "Y800": eight bits of grey a pixel.
        zbar_image_set_format(image, 0x3030_3859)
        zbar_image_set_size(image, UInt32(plane.width), UInt32(plane.height))
        return plane.pixels.withUnsafeBytes { bytes in
            zbar_image_set_data(image, bytes.baseAddress, UInt(bytes.count), nil)
            guard zbar_scan_image(scanner, image) > 0 else { return [] }
            var found: [ScannedSymbol] = []
            var symbol = zbar_image_first_symbol(image)
            while let current = symbol, found.count < 64 {
                if let scanned = scanned(current) { found.append(scanned) }
                symbol = zbar_symbol_next(current)
            }
            return found
        }
    }

    private static let kinds: [UInt32: FoundCode.Symbology] = [
        ZBAR_QRCODE.rawValue: .qr, ZBAR_EAN13.rawValue: .ean13, ZBAR_EAN8.rawValue: .ean8, ZBAR_UPCA.rawValue: .upcA,
        ZBAR_UPCE.rawValue: .upcE, ZBAR_CODE128.rawValue: .code128,
    ]

    private static func scanned(_ symbol: OpaquePointer) -> ScannedSymbol? {
        let type = zbar_symbol_get_type(symbol)
        // Several codes of which some are missing.
        let isPartial = type == ZBAR_PARTIAL && zbar_symbol_get_components(symbol) != nil
        guard let symbology = isPartial ? .qr : kinds[type.rawValue], let data = zbar_symbol_get_data(symbol)
        else { return nil }
        let length = Int(zbar_symbol_get_data_length(symbol))
        let content = data.withMemoryRebound(to: UInt8.self, capacity: length) {
            Array(UnsafeBufferPointer(start: $0, count: length))
        }
        guard !content.isEmpty else { return nil }
        let count = zbar_symbol_get_loc_size(symbol)
        let points = (0..<count).map {
            (Int(zbar_symbol_get_loc_x(symbol, $0)), Int(zbar_symbol_get_loc_y(symbol, $0)))
        }
        let (x, y) = (points.map(\.0), points.map(\.1))
        var code = FoundCode(symbology: symbology, payload: "", isPartial: isPartial)
        code.isGS1 = zbar_symbol_get_modifiers(symbol) & 1 << ZBAR_MOD_GS1.rawValue != 0
        (code.minX, code.minY, code.maxX, code.maxY) = (
            x.min() ?? 0, y.min() ?? 0, (x.max() ?? 0) + 1, (y.max() ?? 0) + 1
        )
        // Of bars, the points are where rows met them; of several codes, no outline is around all.
        let corners = symbology == .qr ? points.map { Point(x: Double($0.0), y: Double($0.1)) } : code.box.corners
        code.outline = Quad(cornersAround: corners)
        return ScannedSymbol(code: code, content: content)
    }
}

/// Symbol found by ZBar: a code whose payload is still bytes.
private struct ScannedSymbol {
    var code: FoundCode
    var content: [UInt8]

    /// Returns the code, its text read with the content in UTF-8 as ZBar guesses it; nil for an empty one.
    func code(guess: [UInt8]) -> FoundCode? {
        var code = code
        code.payload = String(decoding: content, as: UTF8.self)
        if code.symbology == .qr {
            let guess = String(decoding: guess, as: UTF8.self)
            code.payload = code.isPartial ? QRText.parts(content, guess: guess) : QRText.text(content, guess: guess)
        }
        return code.payload.isEmpty ? nil : code
    }
}

extension FoundCode {
    fileprivate var area: Int { (maxX - minX) * (maxY - minY) }

    fileprivate var box: Quad {
        Quad(left: Double(minX), top: Double(minY), right: Double(maxX), bottom: Double(maxY))
    }

    fileprivate func scaled(by scale: Double, within image: RasterImage) -> FoundCode {
        var code = self
        code.minX = max(0, Int(Double(minX) * scale))
        code.minY = max(0, Int(Double(minY) * scale))
        code.maxX = min(image.width, Int((Double(maxX) * scale).rounded(.up)))
        code.maxY = min(image.height, Int((Double(maxY) * scale).rounded(.up)))
        code.outline = outline?.mapped { Point(x: $0.x * scale, y: $0.y * scale) }
        return code
    }

    /// Returns the code of turned rows in the picture's coordinates.
    fileprivate func placed(_ rows: TurnedRows) -> FoundCode {
        var code = self
        let points = box.corners.map { rows.point($0.x, $0.y) }
        code.outline = Quad(cornersAround: points.map { Point(x: $0.x, y: $0.y) })
        (code.minX, code.maxX) = (Int(points.map(\.x).min() ?? 0), Int((points.map(\.x).max() ?? 0).rounded(.up)))
        (code.minY, code.maxY) = (Int(points.map(\.y).min() ?? 0), Int((points.map(\.y).max() ?? 0).rounded(.up)))
        return code
    }
}

/// A grey picture's rows in another direction, each second one: bars are longer than two pixels.
private struct TurnedRows {
    let image: RasterImage
    private let across: SIMD2<Double>
    private let origin: SIMD2<Double>

    private static let spacing = 2.0

    init(_ grey: RasterImage, degrees: Double) {
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let size = SIMD2(Double(grey.width), Double(grey.height))
        let length = (size * SIMD2(abs(cosine), abs(sine))).sum()
        let breadth = (size * SIMD2(abs(sine), abs(cosine))).sum()
        let (width, height) = (Int(length), max(1, Int(breadth / Self.spacing)))
        let (across, down) = (SIMD2(cosine, sine), SIMD2(-sine, cosine))
        let origin = size / 2 - across * length / 2 - down * breadth / 2
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { room, count in
            grey.pixels.withUnsafeBufferPointer { bytes in
                for row in 0..<height {
                    let start = origin + down * (Double(row) + 0.5) * Self.spacing
                    // In 1/65,536 of a pixel, whose centre is at a whole number; edges are repeated.
                    var (x, y) = (Int((start.x - 0.5) * 65_536), Int((start.y - 0.5) * 65_536))
                    let (stepX, stepY) = (Int(cosine * 65_536), Int(sine * 65_536))
                    let (mostX, mostY) = ((grey.width - 1) << 16 - 1, (grey.height - 1) << 16 - 1)
                    for column in 0..<width {
                        let (heldX, heldY) = (min(max(x, 0), mostX), min(max(y, 0), mostY))
                        let base = heldY >> 16 &* grey.width &+ heldX >> 16
                        let (u, v) = (heldX & 0xFFFF, heldY & 0xFFFF)
                        let top = Int(bytes[base]) &* (65_536 &- u) &+ Int(bytes[base &+ 1]) &* u
                        let low =
                            Int(bytes[base &+ grey.width]) &* (65_536 &- u) &+ Int(bytes[base &+ grey.width &+ 1]) &* u
                        room[row &* width &+ column] = UInt8(
                            truncatingIfNeeded: (top &* (65_536 &- v) &+ low &* v) >> 32
                        )
                        (x, y) = (x &+ stepX, y &+ stepY)
                    }
                }
            }
            count = width * height
        }
        image = RasterImage(width: width, height: height, channels: 1, pixels: pixels)
        (self.across, self.origin) = (across, origin)
    }

    /// Returns the point of the picture at a column of a row.
    func point(_ column: Double, _ row: Double) -> SIMD2<Double> {
        origin + across * column + SIMD2(-across.y, across.x) * row * Self.spacing
    }
}

extension FoundCode {
    /// The book's number, where it is the code of a book.
    ///
    /// An EAN-13 from 978 or 979 on; a GTIN of these in a GS1 Digital Link (URI Syntax 1.4: `/01/` and the number in
    /// the path) or behind the application identifier 01; a name `urn:isbn:` (RFC 8254); or the number alone.
    package var isbn: ISBN? {
        switch symbology {
        case .ean13: Self.isbn(number: payload)
        case .ean8, .upcA, .upcE: nil
        case .qr, .code128: isPartial ? nil : isbnOfText
        }
    }

    private var isbnOfText: ISBN? {
        let text = payload.trimmingCharacters(in: .whitespacesAndNewlines)
        if let match = text.prefixMatch(of: /(?i)urn:isbn:([0-9X-]{10,17})(?:[?#]|$)/) { return ISBN(String(match.1)) }
        if let match = text.wholeMatch(of: /(?i)https?:\/\/[^\s\/?#]+(\/[^\s?#]*)?(?:[?#]\S*)?/) {
            let path = match.1.map(String.init) ?? ""
            return path.firstMatch(of: /(?i)\/(?:01|gtin)\/([0-9]{13,14})(?:\/|$)/).flatMap {
                Self.isbn(number: String($0.1))
            }
        }
        // Forms: in brackets, as for people, or as encoded, other identifiers before it.
        if let match = text.firstMatch(of: /\(01\)\s*([0-9]{14})(?:[^0-9]|$)/) {
            return Self.isbn(number: String(match.1))
        }
        if isGS1, let match = text.firstMatch(of: /(?:^|\x{1D})01([0-9]{14})/) {
            return Self.isbn(number: String(match.1))
        }
        if let match = text.wholeMatch(of: /(?i)(?:ISBN(?:-1[03])?:?\s*)?([0-9X -]{10,17})/) {
            let isNamed = text.count > match.1.count
            return isNamed ? ISBN(String(match.1)) : Self.isbn(number: ISBN.compact(String(match.1)))
        }
        return nil
    }

    /// Returns the book of a GTIN of 13 digits, or of 14 with a leading zero: that of a carton of books is none of a
    /// book.
    private static func isbn(number: String) -> ISBN? {
        let digits = number.count == 14 && number.hasPrefix("0") ? String(number.dropFirst()) : number
        guard digits.count == 13, digits.hasPrefix("978") || digits.hasPrefix("979") else { return nil }
        return ISBN(digits)
    }
}
