/// Kind of metadata that a picture file may hold.
public enum MetadataKind: String, Sendable, Codable, CaseIterable {
    case exif = "EXIF"
    /// Where the picture was taken, in EXIF or XMP.
    case location = "GPS"
    /// A camera maker's own part of EXIF.
    case makerNote = "maker note"
    case thumbnail
    case xmp = "XMP"
    case photoshop = "IPTC/Photoshop"
    case comment
    case text
    case time
    /// Further pictures of one shot, gain maps among them, and the table that says where they are.
    case otherPictures = "other pictures"
    /// Segments and chunks of one program or another.
    case applicationData = "application data"
    /// Whatever follows the end of the picture.
    case trailingData = "data after the picture"
}

/// A picture file without its metadata.
public struct StrippedPicture: Sendable, Equatable {
    /// The file: the same pixels, the same way up, in the same colours.
    public var bytes: [UInt8]
    /// Kinds of metadata that were taken out, each once, in the order of ``MetadataKind``.
    public var removed: [MetadataKind]

    /// A file and what was taken out of it, in any order.
    init(bytes: [UInt8], removed: Set<MetadataKind>) {
        self.bytes = bytes
        self.removed = MetadataKind.allCases.filter(removed.contains)
    }
}

extension Exif {
    /// Kinds of metadata in the block.
    var kinds: Set<MetadataKind> {
        var kinds: Set<MetadataKind> = [.exif]
        if hasLocation { kinds.insert(.location) }
        if hasMakerNote { kinds.insert(.makerNote) }
        if hasThumbnail { kinds.insert(.thumbnail) }
        return kinds
    }

    /// Kinds of metadata in a block that may not even be EXIF.
    static func kinds(in tiff: UnsafeBufferPointer<UInt8>) -> Set<MetadataKind> { Exif(tiff)?.kinds ?? [.exif] }
}

/// XMP packets, of which only one thing is of interest.
///
/// Source: XMP Specification Part 2 (Adobe, 2016), section 3.2, the exif namespace.
enum XMP {
    /// Whether a packet, as text, says where the picture was taken.
    static func kinds(in packet: UnsafeBufferPointer<UInt8>) -> Set<MetadataKind> {
        packet.indices.contains { packet.holds("GPSLatitude", at: $0) } ? [.xmp, .location] : [.xmp]
    }
}
