public import Imaging

/// Reading of a photo of shelves: the spines that were found, each with its text.
public struct ShelfReading: Sendable, Equatable {
    /// Row by row from the top, in each from left to right.
    public var spines: [ShelfSpine]
    /// All text of the photo, that of no spine included, in reading order; quads in the photo's pixels.
    public var text: [RecognizedLine]
    /// Inside the networks, and in all.
    public var timings: StageTimings

    /// Creates a reading from its parts: see the properties.
    public init(spines: [ShelfSpine], text: [RecognizedLine] = [], timings: StageTimings) {
        self.spines = spines
        self.text = text
        self.timings = timings
    }
}

/// A spine on a photo.
public struct ShelfSpine: Sendable, Equatable {
    /// Row of books that contains the spine, from 1 at the top.
    public var row: Int
    /// Place in its row, from 1 at the left.
    public var index: Int
    /// Outline in the photo's pixels; corners clockwise from the photo's top left.
    public var outline: Quad
    /// Text of the spine, quads in the photo's pixels.
    public var reading: SpineReading

    /// Creates a spine from its parts: see the properties.
    public init(row: Int, index: Int, outline: Quad, reading: SpineReading) {
        self.row = row
        self.index = index
        self.outline = outline
        self.reading = reading
    }
}
