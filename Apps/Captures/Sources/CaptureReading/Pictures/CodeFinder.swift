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
}

/// Detector and reader of QR and bar codes at any angle.
///
/// The scanner (libzbar) reads rows and columns only. So possible places of a code are searched first
/// (``CodePlaces``): stripes are read along their own direction, and other busy places at twice their size where they
/// are small. The whole picture is scanned where that finds nothing, and all of it is done once more for light codes
/// on dark ground where there are no dark ones. Nothing is shared between calls.
package enum CodeFinder {
    /// Long side of a picture in the first pass, in pixels.
    static let firstLongSide = 1_000
    /// Long side of a picture in the second pass, in pixels, when nothing was found.
    static let longestSide = 3_000

    /// Returns the codes of a picture from the top left to the bottom right, each content once; at most 64.
    package static func codes(in image: RasterImage) -> [FoundCode] {
        let longSide = max(image.width, image.height)
        guard min(image.width, image.height) > 8 else { return [] }
        var sides = [min(longSide, firstLongSide)]
        if longSide > firstLongSide { sides.append(min(longSide, longestSide)) }
        for side in sides {
            let scale = Double(longSide) / Double(side)
            let found = codes(in: GreyPlane(image, longSide: side))
            if !found.isEmpty { return sorted(found.map { $0.scaled(by: scale, within: image) }) }
        }
        return []
    }

    private static func codes(in grey: GreyPlane) -> [FoundCode] {
        let places = CodePlaces(grey)
        guard !places.isBlank else { return [] }
        let dark = codes(in: grey, at: places)
        // Light ones on dark ground, as screens show them, where there are no dark ones.
        return dark.isEmpty ? codes(in: grey.inverted, at: places) : dark
    }

    private static func codes(in grey: GreyPlane, at places: CodePlaces) -> [FoundCode] {
        var found: [FoundCode] = []
        var read: [Stripes] = []
        for stripes in places.stripes {
            let codes = scan(stripes.rows(of: grey), for: .bars).map { stripes.original($0) }
            if !codes.isEmpty { read.append(stripes) }
            found += codes
        }
        for place in places.busy(in: grey, besides: read) {
            for factor in place.factors {
                let codes = scan(grey.cropped(place, factor: factor), for: .qr)
                found += codes.map { place.original($0, factor: factor) }
                if !codes.isEmpty { break }
            }
        }
        if found.isEmpty { return scan(grey, for: .all) }
        // Parts of one text are put together only where they are scanned together.
        let parts = found.filter(\.isPartial)
        guard parts.count > 1 else { return found }
        let joined = scan(grey, for: .qr)
        return found.filter { code in !joined.contains { $0.contains(code) } } + joined
    }

    private static func sorted(_ codes: [FoundCode]) -> [FoundCode] {
        var seen: Set<String> = []
        return codes.sorted { ($0.minY, $0.minX, $0.payload) < ($1.minY, $1.minX, $1.payload) }
            .filter { seen.insert("\($0.symbology.rawValue) \($0.payload)").inserted }
            .prefix(64).map(\.self)
    }

    private enum Look { case all, qr, bars }

    private static func scan(_ plane: GreyPlane, for look: Look) -> [FoundCode] {
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

    private static func symbols(_ plane: GreyPlane, for look: Look, isBinary: Bool) -> [ScannedSymbol] {
        guard let scanner = zbar_image_scanner_create() else { return [] }
        defer { zbar_image_scanner_destroy(scanner) }
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        for (kind, symbology) in kinds where look == .all || (symbology == .qr) == (look == .qr) {
            zbar_image_scanner_set_config(scanner, zbar_symbol_type_t(kind), ZBAR_CFG_ENABLE, 1)
        }
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, isBinary ? 1 : 0)
        // No columns: they run along the bars.
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
        let x = points.map(\.0)
        let y = points.map(\.1)
        var code = FoundCode(symbology: symbology, payload: "", isPartial: isPartial)
        code.isGS1 = zbar_symbol_get_modifiers(symbol) & 1 << ZBAR_MOD_GS1.rawValue != 0
        (code.minX, code.minY, code.maxX, code.maxY) = (
            x.min() ?? 0, y.min() ?? 0, (x.max() ?? 0) + 1, (y.max() ?? 0) + 1
        )
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
    /// Returns whether another code is one of the parts that this one was put together of.
    fileprivate func contains(_ part: FoundCode) -> Bool { part.isPartial && payload.contains(part.payload) }

    fileprivate func scaled(by scale: Double, within image: RasterImage) -> FoundCode {
        var code = self
        code.minX = max(0, Int(Double(minX) * scale))
        code.minY = max(0, Int(Double(minY) * scale))
        code.maxX = min(image.width, Int((Double(maxX) * scale).rounded(.up)))
        code.maxY = min(image.height, Int((Double(maxY) * scale).rounded(.up)))
        return code
    }
}

/// Brightness of a picture, a byte a pixel, rows without gaps.
struct GreyPlane {
    var width: Int
    var height: Int
    var pixels: [UInt8]

    init(width: Int, height: Int, pixels: [UInt8]) { (self.width, self.height, self.pixels) = (width, height, pixels) }

    /// Creates the brightness of a picture whose long side becomes `longSide` pixels long.
    init(_ image: RasterImage, longSide: Int) {
        let small = image.fitted(to: longSide)
        self.init(width: small.width, height: small.height, pixels: [])
        if small.channels == 1 {
            pixels = small.pixels
            return
        }
        pixels = [UInt8](unsafeUninitializedCapacity: small.width * small.height) { room, count in
            small.pixels.withUnsafeBufferPointer { bytes in
                for index in 0..<(small.width * small.height) {
                    // Rec. 601 luma in 1/256.
                    let sum =
                        77 * Int(bytes[3 * index]) + 150 * Int(bytes[3 * index + 1]) + 29 * Int(bytes[3 * index + 2])
                    room[index] = UInt8(sum >> 8)
                }
            }
            count = small.width * small.height
        }
    }

    /// Light for dark.
    var inverted: GreyPlane { GreyPlane(width: width, height: height, pixels: pixels.map { 255 - $0 }) }

    /// Returns the plane, or a copy enlarged by a factor, interpolated.
    func enlarged(_ factor: Int) -> GreyPlane {
        guard factor > 1 else { return self }
        let image = RasterImage(width: width, height: height, channels: 1, pixels: pixels)
            .resized(width: width * factor, height: height * factor)
        return GreyPlane(width: image.width, height: image.height, pixels: image.pixels)
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
