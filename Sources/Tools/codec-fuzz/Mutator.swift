import Basics

/// Damages image files at random, some of it with an eye to where their formats are tender.
struct Mutator {
    let seeds: [[UInt8]]
    private var random: SplitMix64

    init(seeds: [[UInt8]], seed: UInt64) {
        self.seeds = seeds
        random = SplitMix64(state: seed)
    }

    /// Returns one of the seeds with one to three kinds of damage.
    mutating func next() -> [UInt8] {
        var bytes = pickSeed()
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty { damage(&bytes) }
        // A PNG with wrong checksums is refused before anything interesting is reached.
        if PNGChunks.isPNG(bytes), Bool.random(using: &random) { PNGChunks.repairChecksums(&bytes) }
        return bytes
    }

    private mutating func pickSeed() -> [UInt8] { seeds[Int.random(in: seeds.indices, using: &random)] }

    private mutating func damage(_ bytes: inout [UInt8]) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &random)...)
        case 1: flipBits(&bytes, within: bytes.count)
        case 2: flipBits(&bytes, within: min(bytes.count, 640))
        case 3: editLength(&bytes)
        case 4: editSize(&bytes)
        case 5: splice(&bytes)
        case 6: fill(&bytes)
        case 7: bytes.removeSubrange(stretch(of: bytes))
        case 8: bytes.insert(contentsOf: bytes[stretch(of: bytes)], at: Int.random(in: 0...bytes.count, using: &random))
        default:
            let noise = (0..<Int.random(in: 1...64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            bytes.insert(contentsOf: noise, at: Int.random(in: 0...bytes.count, using: &random))
        }
    }

    /// Returns a stretch of the file, short ones the likelier.
    private mutating func stretch(of bytes: [UInt8]) -> Range<Int> {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let longest = min(bytes.count - start, 1 << Int.random(in: 0...12, using: &random))
        return start..<start + Int.random(in: 0...longest, using: &random)
    }

    private mutating func flipBits(_ bytes: inout [UInt8], within limit: Int) {
        for _ in 0..<Int.random(in: 1...16, using: &random) {
            bytes[Int.random(in: 0..<limit, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
    }

    private mutating func fill(_ bytes: inout [UInt8]) {
        let value: UInt8 = [0x00, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
        for index in stretch(of: bytes) { bytes[index] = value }
    }

    /// Joins the beginning of this file and the end of another.
    private mutating func splice(_ bytes: inout [UInt8]) {
        let other = pickSeed()
        bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &random)...)
        bytes += other[Int.random(in: 0..<other.count, using: &random)...]
    }

    /// Changes the length that a PNG chunk, a HEIC box or a JPEG segment states.
    private mutating func editLength(_ bytes: inout [UInt8]) {
        if PNGChunks.isPNG(bytes) {
            guard let offset = PNGChunks.offsets(bytes).randomElement(using: &random) else { return }
            write(number([0, 1, 12, 13, 1 << 20, 0x7FFF_FFFF, 0xFFFF_FFFF]), 4, at: offset, &bytes)
        } else if HEICBoxes.isHEIC(bytes) {
            guard let offset = HEICBoxes.offsets(bytes).randomElement(using: &random) else { return }
            if Bool.random(using: &random) {
                write(number([0, 1, 8, 9, 12, 20, 1 << 20, 0x7FFF_FFFF, 0xFFFF_FFFF]), 4, at: offset, &bytes)
            } else {
                editContent(ofBoxAt: offset, &bytes)
            }
        } else {
            let markers = bytes.indices.dropLast(4).filter { bytes[$0] == 0xFF && 0xC0...0xFE ~= bytes[$0 + 1] }
            guard let offset = markers.randomElement(using: &random) else { return }
            write(number([0, 1, 2, 8, 17, 0xFFFF]), 2, at: offset + 2, &bytes)
        }
    }

    /// Puts a small number, of which identifiers, counts and indices are made, into a box; or removes or doubles the
    /// box.
    private mutating func editContent(ofBoxAt offset: Int, _ bytes: inout [UInt8]) {
        let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length > 8, length <= bytes.count - offset else { return }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: bytes.removeSubrange(offset..<offset + length)
        case 1: bytes.insert(contentsOf: bytes[offset..<offset + length], at: offset)
        default:
            let place = Int.random(in: offset + 8..<offset + length, using: &random)
            bytes[place] = UInt8.random(in: 0...9, using: &random)
        }
    }

    /// Changes the width or the height in a PNG header, a HEIC property or a JPEG frame header.
    private mutating func editSize(_ bytes: inout [UInt8]) {
        if PNGChunks.isPNG(bytes) {
            let offset = Bool.random(using: &random) ? 16 : 20
            write(number([0, 1, 2, 255, 1 << 14, 1 << 20, 0x7FFF_FFFF, 0xFFFF_FFFF]), 4, at: offset, &bytes)
        } else if HEICBoxes.isHEIC(bytes) {
            guard let box = HEICBoxes.offsets(bytes, named: "ispe").randomElement(using: &random) else { return }
            let size = number([0, 1, 16, 24, 64, 255, 1 << 14, 1 << 15, 0x7FFF_FFFF, 0xFFFF_FFFF])
            write(size, 4, at: box + (Bool.random(using: &random) ? 12 : 16), &bytes)
        } else {
            let frames = bytes.indices.dropLast(9).filter { bytes[$0] == 0xFF && 0xC0...0xC2 ~= bytes[$0 + 1] }
            guard let frame = frames.randomElement(using: &random) else { return }
            write(number([0, 1, 8, 255, 2000, 0xFFFF]), 2, at: frame + (Bool.random(using: &random) ? 5 : 7), &bytes)
        }
    }

    /// Returns one of the numbers, or any of up to 16 bits.
    private mutating func number(_ tender: [UInt32]) -> UInt32 {
        Bool.random(using: &random)
            ? tender.randomElement(using: &random) ?? 0 : UInt32(UInt16.random(in: 0...UInt16.max, using: &random))
    }

    private func write(_ value: UInt32, _ count: Int, at offset: Int, _ bytes: inout [UInt8]) {
        guard offset >= 0, offset + count <= bytes.count else { return }
        for index in 0..<count {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * (count - 1 - index)))
        }
    }
}
