/// A detector's answer: for each pixel of its canvas, how probable it is that the pixel belongs to text.
public struct ProbabilityMap: Sendable {
    /// Columns of the canvas.
    public let width: Int
    /// Rows of the canvas.
    public let height: Int
    /// `width * height` values in 0…1, row-major.
    public let values: [Float]
    /// Columns from the left that the image took; the rest is padding and is not searched.
    public let usedWidth: Int
    /// Rows from the top that the image took; the rest is padding and is not searched.
    public let usedHeight: Int

    /// A map by its parts: see the properties.
    ///
    /// - Precondition: there is one value for each pixel, and the image lies on the canvas.
    public init(width: Int, height: Int, values: [Float], usedWidth: Int, usedHeight: Int) {
        precondition(values.count == width * height, "one value for each pixel")
        precondition((1...width).contains(usedWidth) && (1...height).contains(usedHeight), "the image is on the canvas")
        self.width = width
        self.height = height
        self.values = values
        self.usedWidth = usedWidth
        self.usedHeight = usedHeight
    }
}
