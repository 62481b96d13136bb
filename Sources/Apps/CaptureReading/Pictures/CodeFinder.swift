import CZBar
public import Imaging

/// A QR or bar code that was read on a picture.
public struct FoundCode: Sendable, Equatable {
    /// Kind of a code.
    public enum Symbology: String, Sendable, Codable, CaseIterable {
        case qr = "QR-Code"
        case ean13 = "EAN-13"
        case ean8 = "EAN-8"
        case upcA = "UPC-A"
        case upcE = "UPC-E"
        case code128 = "CODE-128"
    }

    /// Kind.
    public var symbology: Symbology
    /// Content: text, or the digits; of one part of several (Structured Append), the parts that were found, with "…"
    /// between two where one is missing.
    public var payload: String
    /// Whether it is one of several codes that hold a text together, and not all of them were found.
    public var isPartial = false
    /// Whether the content is marked as GS1 application identifiers (FNC1 in first position).
    public var isGS1 = false
    /// Left edge of the bounding box: pixels of the picture, y down, axis-aligned around the decoded part.
    public var minX: Int
    /// See `minX`.
    public var minY: Int
    /// See `minX`; exclusive.
    public var maxX: Int
    /// See `minX`; exclusive.
    public var maxY: Int
}

/// Detector and reader of QR and bar codes at any angle.
///
/// The scanner (libzbar) reads rows and columns only. So possible places of a code are searched first
/// (``CodePlaces``): stripes are read along their own direction, and other busy places at twice their size where they
/// are small. The whole picture is scanned where that finds nothing, and all of it is done once more for light codes
/// on dark ground where there are no dark ones. Nothing is shared between calls.
public enum CodeFinder {
    /// Long side of a picture in the first pass, in pixels.
    public static let firstLongSide = 1_000
    /// Long side of a picture in the second pass, in pixels, when nothing was found.
    public static let longestSide = 3_000

    /// Returns the codes of a picture from the top left to the bottom right, each content once; at most 64.
    public static func codes(in image: RasterImage) -> [FoundCode] {
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

    /// Kinds of codes to search for.
    private enum Look { case all, qr, bars }

    private static func scan(_ plane: GreyPlane, for look: Look) -> [FoundCode] {
        let found = symbols(plane, for: look, isBinary: true)
        let isPlain = found.allSatisfy { $0.symbology != .qr || String(validating: $0.content, as: UTF8.self) != nil }
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
        return ScannedSymbol(
            symbology: symbology,
            content: content,
            isPartial: isPartial,
            isGS1: zbar_symbol_get_modifiers(symbol) & 1 << ZBAR_MOD_GS1.rawValue != 0,
            minX: points.map(\.0).min() ?? 0,
            minY: points.map(\.1).min() ?? 0,
            maxX: (points.map(\.0).max() ?? 0) + 1,
            maxY: (points.map(\.1).max() ?? 0) + 1
        )
    }
}

/// Symbol found by ZBar, as bytes.
private struct ScannedSymbol {
    var symbology: FoundCode.Symbology
    var content: [UInt8]
    var isPartial: Bool
    var isGS1: Bool
    var minX: Int
    var minY: Int
    var maxX: Int
    var maxY: Int

    /// Returns the code, its text read with the content in UTF-8 as ZBar guesses it; nil for an empty one.
    func code(guess: [UInt8]) -> FoundCode? {
        var text = String(decoding: content, as: UTF8.self)
        if symbology == .qr {
            let guess = String(decoding: guess, as: UTF8.self)
            text = isPartial ? QRText.parts(content, guess: guess) : QRText.text(content, guess: guess)
        }
        guard !text.isEmpty else { return nil }
        var code = FoundCode(symbology: symbology, payload: text, minX: minX, minY: minY, maxX: maxX, maxY: maxY)
        (code.isPartial, code.isGS1) = (isPartial, isGS1)
        return code
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
        let scale = Double(longSide) / Double(max(image.width, image.height))
        let width = max(1, Int((Double(image.width) * scale).rounded()))
        let height = max(1, Int((Double(image.height) * scale).rounded()))
        let small = scale < 1 ? image.resized(width: width, height: height) : image
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
