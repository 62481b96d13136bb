/// Parameters of a coded HEVC picture in its NAL units, read without decoding anything.
///
/// Source: ITU-T H.265 (08/2021), sections 7.3.1 and 7.3.2.
struct HEVCParameters {
    /// The largest size that a sequence parameter set states.
    private(set) var width = 0
    private(set) var height = 0
    /// Slices that begin a picture.
    private(set) var pictures = 0

    /// Adds one NAL unit; false when it is not valid output of an encoder.
    mutating func add(_ unit: UnsafeBufferPointer<UInt8>) -> Bool {
        // Units of another layer than the base are of no use to a still picture, and skipped by decoders.
        guard unit.count > 2, unit[0] & 1 == 0, unit[1] >> 3 == 0 else { return true }
        let type = (unit[0] >> 1) & 63
        if type < 32 {
            if unit[2] & 0x80 != 0 { pictures += 1 }
            return !Self.hasHole(unit)
        } else if type == 33 {
            guard let size = Self.size(inSequenceParameterSet: unit) else { return false }
            width = max(width, size.width)
            height = max(height, size.height)
        }
        return true
    }

    /// Takes the units of a decoder configuration record into account (ISO/IEC 14496-15:2022, section 8.3.2.1).
    mutating func add(configuration: UnsafeBufferPointer<UInt8>) throws(ImageFault) -> Bool {
        var cursor = ByteCursor(configuration, 0..<configuration.count)
        let fixed = try cursor.take(22)
        // Lengths of units in less than four bytes, which no camera writes, are misread by libheif 1.15.
        guard configuration[fixed.upperBound - 1] & 3 == 3 else { return false }
        for _ in 0..<(try cursor.number(1)) {
            _ = try cursor.number(1)
            for _ in 0..<(try cursor.number(2)) {
                let unit = try cursor.take(cursor.number(2))
                guard add(configuration.part(unit)) else { return false }
            }
        }
        return true
    }

    /// Takes an item's units into account, each after its length in four bytes, which is how libheif reads them.
    mutating func add(unitsOf data: UnsafeBufferPointer<UInt8>) throws(ImageFault) -> Bool {
        var cursor = ByteCursor(data, 0..<data.count)
        while !cursor.rest.isEmpty {
            let unit = try cursor.take(cursor.number(4))
            guard add(data.part(unit)) else { return false }
        }
        return true
    }

    /// Returns whether a unit has three invalid bytes in a row: 0, 0, and 0, 1 or 2 (section 7.4.2).
    ///
    /// libde265 invents missing values of damaged data, and libheif hides its warnings. This detects the most common
    /// damage by far: an interrupted copy, whose end is zeros.
    private static func hasHole(_ unit: UnsafeBufferPointer<UInt8>) -> Bool {
        // A few zeros may follow a unit in a stream, and be taken along from there.
        var end = unit.count
        while end > unit.count - 3, unit[end - 1] == 0 { end -= 1 }
        var zeros = 0
        for byte in unit[..<end] {
            if zeros >= 2, byte <= 2 { return true }
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return false
    }

    /// Returns the coded size, in samples, before cropping.
    private static func size(inSequenceParameterSet unit: UnsafeBufferPointer<UInt8>) -> (width: Int, height: Int)? {
        var bits = BitReader(unit.dropFirst(2))
        // sps_video_parameter_set_id, sps_max_sub_layers_minus1, sps_temporal_id_nesting_flag.
        guard bits.read(4) != nil, let subLayers = bits.read(3), bits.read(1) != nil else { return nil }
        // profile_tier_level: 88 bits of profile and 8 of level, then which of them each sub-layer has, then those.
        guard bits.skip(96) else { return nil }
        var following = 0
        for _ in 0..<subLayers {
            guard let hasProfile = bits.read(1), let hasLevel = bits.read(1) else { return nil }
            following += hasProfile * 88 + hasLevel * 8
        }
        let padding = subLayers > 0 ? 2 * (8 - subLayers) : 0
        guard bits.skip(padding + following), bits.readExponential() != nil else { return nil }
        guard let chroma = bits.readExponential(), chroma < 3 || bits.read(1) != nil else { return nil }
        guard let width = bits.readExponential(), let height = bits.readExponential() else { return nil }
        return (width, height)
    }
}

/// Reads bits, the high ones first, out of a NAL unit's payload.
///
/// The 3 of every 0, 0, 3 is skipped: an encoder inserts it to keep start codes out of the data.
private struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ payload: some Sequence<UInt8>) {
        var zeros = 0
        var kept: [UInt8] = []
        // The required fields are in the first bytes, however long the unit is.
        for byte in payload.prefix(256) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            kept.append(byte)
        }
        bytes = kept
    }

    mutating func read(_ count: Int) -> Int? {
        guard position + count <= bytes.count * 8 else { return nil }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position >> 3] >> UInt8(7 - position & 7)) & 1
            position += 1
        }
        return value
    }

    mutating func skip(_ count: Int) -> Bool {
        position += count
        return position <= bytes.count * 8
    }

    /// Returns an Exp-Golomb number (section 9.2).
    mutating func readExponential() -> Int? {
        var zeros = 0
        while let bit = read(1) {
            if bit == 1 { return read(zeros).map { (1 << zeros) - 1 + $0 } }
            zeros += 1
            guard zeros <= 31 else { return nil }
        }
        return nil
    }
}
