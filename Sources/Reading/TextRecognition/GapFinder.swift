internal import Raster

/// Finds the stretches of a line in which something is printed but nothing was read: where small words (of, the, and)
/// stand between large ones, or a word stands at another angle.
struct GapFinder: Sendable {
    /// A stretch between characters is a gap when it is this many times as long as the line is high.
    var minimumLength = 0.9
    /// A stretch before the first or after the last character, likewise.
    var minimumEndLength = 0.5
    /// A character below this confidence does not count as read, 0…1.
    var anchorConfidence = 0.6
    /// Something is printed in a gap when its contrast is this share of the whole line's.
    var minimumContrast = 0.7

    /// The gaps of a line, from left to right.
    ///
    /// The characters' positions are in pixels of `image`, which is the line, straightened; none when fewer than two
    /// characters are sure.
    func gaps(in recognition: LineRecognition, image: RasterImage) -> [Gap] {
        let letters = recognition.characters.enumerated()
            .filter { $0.element.text != " " && $0.element.confidence >= anchorConfidence }
        guard letters.count >= 2 else { return [] }
        let pitches = zip(letters, letters.dropFirst()).map { $1.element.position - $0.element.position }.sorted()
        // A character reaches about half a pitch to either side of its position; a quarter is left as a margin.
        let reach = pitches[pitches.count / 2] / 4
        let grey = image.luma()
        let contrast = grey.contrast(in: 0..<image.width)

        var gaps: [Gap] = []
        func consider(from start: Double, to end: Double, minimum: Double, replacing characters: Range<Int>) {
            guard end - start >= minimum * Double(image.height) else { return }
            // A recogniser may place a character in the padding beside the image.
            let (first, behind) = (max(0, Int(start)), min(image.width, Int(end)))
            guard first < behind, grey.contrast(in: first..<behind) >= minimumContrast * contrast else { return }
            let width = Double(image.width)
            gaps.append(Gap(start: Double(first) / width, end: Double(behind) / width, characters: characters))
        }
        consider(
            from: 0,
            to: letters[0].element.position - reach,
            minimum: minimumEndLength,
            replacing: 0..<letters[0].offset
        )
        for (left, right) in zip(letters, letters.dropFirst()) {
            consider(
                from: left.element.position + reach,
                to: right.element.position - reach,
                minimum: minimumLength,
                replacing: left.offset + 1..<right.offset
            )
        }
        let last = letters[letters.count - 1]
        consider(
            from: last.element.position + reach,
            to: Double(image.width),
            minimum: minimumEndLength,
            replacing: last.offset + 1..<recognition.characters.count
        )
        return gaps
    }
}

/// A stretch of a line without characters.
struct Gap: Sendable, Equatable {
    /// Fractions of the line's length.
    var start: Double
    var end: Double
    /// The doubtful characters that were read in it.
    var characters: Range<Int>

    var length: Double { end - start }
}

extension RasterImage {
    /// The range of luma in some columns of a grey image, between the darkest and the lightest twentieth of their pixels; 0…255.
    fileprivate func contrast(in columns: Range<Int>) -> Double {
        var histogram = [Int](repeating: 0, count: 256)
        for row in 0..<height {
            for column in columns { histogram[Int(pixels[row * width + column])] += 1 }
        }
        let tail = columns.count * height / 20
        func value(_ levels: some Sequence<Int>) -> Int {
            var seen = 0
            for level in levels {
                seen += histogram[level]
                if seen > tail { return level }
            }
            return 0
        }
        return Double(max(0, value((0...255).reversed()) - value(0...255)))
    }
}

/// Puts back the spaces that a recogniser leaves out between words set close together.
///
/// A space is missing wherever two characters stand much farther apart than the line's usual.
struct WordSpacing: Sendable {
    /// A gap is a space from this many times the line's median distance between neighbouring characters.
    var factor = 2.2

    /// The characters with the missing spaces among them.
    ///
    /// A space put in has the confidence of the less sure of its neighbours. A line with fewer than four pairs of
    /// neighbouring characters has no usual distance and stays as it is.
    func restored(_ characters: [RecognizedCharacter]) -> [RecognizedCharacter] {
        let gaps = zip(characters, characters.dropFirst()).filter { $0.text != " " && $1.text != " " }
            .map { $1.position - $0.position }.sorted()
        guard gaps.count >= 4 else { return characters }
        let limit = gaps[gaps.count / 2] * factor
        var result: [RecognizedCharacter] = []
        for character in characters {
            if let last = result.last, last.text != " ", character.text != " ",
                character.position - last.position > limit
            {
                result.append(.space(between: last, and: character))
            }
            result.append(character)
        }
        return result
    }
}
