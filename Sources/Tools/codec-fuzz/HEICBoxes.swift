/// The boxes of a HEIC file, as far as a file that may be damaged has any.
enum HEICBoxes {
    private static let names = [
        "meta", "hdlr", "pitm", "iinf", "infe", "iloc", "iref", "dimg", "auxl", "idat", "iprp", "ipco", "ipma", "ispe",
        "hvcC", "irot", "imir", "clap", "colr", "pixi", "auxC", "mdat",
    ].map { Array($0.utf8) }

    static func isHEIC(_ bytes: [UInt8]) -> Bool { bytes.count > 12 && Array(bytes[4..<8]) == Array("ftyp".utf8) }

    /// Returns the offsets of the length fields of boxes, or of bytes that resemble one.
    static func offsets(_ bytes: [UInt8], named name: String? = nil) -> [Int] {
        let wanted = name.map { [Array($0.utf8)] } ?? names
        return bytes.indices.dropLast(7).filter { offset in
            wanted.contains { bytes[(offset + 4)..<(offset + 8)].elementsEqual($0) }
        }
    }
}
