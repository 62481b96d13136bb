internal import Basics
public import Raster

/// Reading of a photo of shelves: the spines that were found, each with its text.
public struct ShelfReading: Sendable, Equatable {
    /// Row by row from the top, in each from left to right.
    public var spines: [ShelfSpine]
    /// Inside the networks, and in all.
    public var timings: StageTimings

    /// A reading by its parts: see the properties.
    public init(spines: [ShelfSpine], timings: StageTimings) {
        self.spines = spines
        self.timings = timings
    }
}

/// A spine on a photo.
public struct ShelfSpine: Sendable, Equatable {
    /// Row of books that it stands in, from 1 at the top.
    public var row: Int
    /// Place in its row, from 1 at the left.
    public var index: Int
    /// Outline in the photo's pixels; corners clockwise from the photo's top left.
    public var outline: Quad
    /// Its text, quads in the photo's pixels.
    public var reading: SpineReading

    /// A spine by its parts: see the properties.
    public init(row: Int, index: Int, outline: Quad, reading: SpineReading) {
        self.row = row
        self.index = index
        self.outline = outline
        self.reading = reading
    }

    /// Whether its text is enough to name a book by: two words of three letters, or twelve letters in a piece.
    ///
    /// There is a book of almost any single word, and photos of shelves show more than books; words that stand close are read
    /// as one. What has digits in it may be a part's number.
    public var isEnoughToName: Bool {
        let words = reading.lines.flatMap { FoldedText($0.text).words.filter(Self.isWord) }
        return words.count >= 2 || words.contains { $0.count >= 12 }
    }

    private static func isWord(_ word: ArraySlice<UInt8>) -> Bool {
        word.count >= 3 && !word.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
