import ImageCodec

/// Tells a photo of a shelf from a picture of one spine by its proportions, until shelves are read.
enum SeveralSpines {
    /// A picture whose long side is less than so many times its short side is taken for more than one spine.
    ///
    /// Of 465 crops of single spines (225 of photographs) the least slender one is 2.73 times as long as wide; of 20 pictures
    /// of shelves (12 photographs) the most slender one is 2.57 times.
    static let leastSlenderness = 2.65

    /// A remark on a picture's file; nil for one that may be a single spine, and for what is no picture.
    static func remark(on bytes: [UInt8], name: String) -> String? {
        guard let header = try? ImageCodec.header(of: bytes, name: name),
            isLikely(width: header.width, height: header.height)
        else { return nil }
        return
            "its sides are \(header.orientedWidth) × \(header.orientedHeight), which is no single spine's shape: if it shows "
            + "a shelf, cut the spines out, as shelves are not read yet"
    }

    /// Whether a picture of this size, in pixels, has another shape than a spine.
    static func isLikely(width: Int, height: Int) -> Bool {
        let (long, short) = (max(width, height), min(width, height))
        // As for reading: nothing that small can be read, and its shape says nothing.
        return short >= 8 && Double(long) < leastSlenderness * Double(short)
    }
}
