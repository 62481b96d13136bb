package import BookCatalogue
package import Talaria

/// Text of a spine on a photo.
package struct SpineText: Sendable, Equatable {
    package var lines: [RemoteLine]
    /// Box around all of them, if the engine reports it.
    package var box: NormalizedBox?
    /// Position on a photo of shelves; nil for a photo of one spine.
    package var place: SpinePlace?
    /// Assumed subject of the photo.
    package var subject = NamingPolicy.Subject.spine
    /// Books that it may be, the likeliest first; nil where the reader asked no catalogue.
    package var candidates: [BookMatch]?

    package init(lines: [RemoteLine], box: NormalizedBox? = nil) { (self.lines, self.box) = (lines, box) }
}

/// Reader of the text on a photo: an engine, or a script in tests.
package struct PhotoReader: Sendable {
    package var read: @Sendable (_ bytes: [UInt8], _ name: String) throws -> [SpineText]

    /// - Parameter read: blocks its thread until the photo of these bytes is read, and returns its spines with text in
    ///   the order of the shelf; the name is for its errors.
    package init(read: @escaping @Sendable (_ bytes: [UInt8], _ name: String) throws -> [SpineText]) {
        self.read = read
    }
}
