/// How much room the pictures of a report take.
package struct ThumbnailBudget: Sendable, Equatable {
    /// Of one picture's own data at most.
    package var bytes: Int
    /// Of a picture's long side at most.
    package var side: Int
    /// Of the JPEG, 1…100.
    package var quality: Int

    /// What a whole report may take: 15 MB, less a little, since the rest is an estimate.
    private static let pageBytes = 14_300_000
    /// What a picture takes besides its own data: its sizes and its index.
    private static let bytesAround = 50

    /// The most detail that keeps a report within 15 MB.
    ///
    /// A few hundred pictures are large enough to read; of ten thousand, each is a stamp.
    ///
    /// - Parameters:
    ///   - pictures: How many there are.
    ///   - otherBytes: What the page takes without them.
    package init(pictures: Int, otherBytes: Int) {
        let count = max(1, pictures)
        let left = max(0, (Self.pageBytes - otherBytes) / count - Self.bytesAround)
        // Base64 makes 4 bytes of 3. With less than 250 bytes there is nothing to be seen; with 24,000 all there is.
        bytes = min(max(left * 3 / 4, 250), 24_000)
        side = 560
        // Few bytes are better spent on more pixels than on finer ones.
        quality = bytes >= 8_000 ? 72 : bytes >= 2_000 ? 55 : 40
    }

    /// The size to begin with: what fits the bytes at a bit a pixel, and no more than there is.
    ///
    /// - Parameters:
    ///   - width: Of the full-size picture.
    ///   - height: Of the full-size picture.
    /// - Returns: A size of the same shape.
    func size(width: Int, height: Int) -> (width: Int, height: Int) {
        let fit = (Double(bytes * 8) / Double(width * height)).squareRoot()
        return Self.scaled(width, height, by: min(1, fit, Double(side) / Double(max(width, height))))
    }

    /// A size of the same shape, one pixel a side at least.
    static func scaled(_ width: Int, _ height: Int, by scale: Double) -> (width: Int, height: Int) {
        (max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded())))
    }
}
