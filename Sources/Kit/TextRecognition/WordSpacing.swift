/// Restores the spaces that a recogniser omits between words set close together.
///
/// A space is missing wherever two characters are much farther apart than the line's usual.
struct WordSpacing: Sendable {
    /// A gap is a space from this many times the line's median distance between neighbouring characters.
    var factor = 2.2

    /// Returns the characters with the missing spaces among them.
    ///
    /// An inserted space has the confidence of the less sure of its neighbours. A line with fewer than four pairs of
    /// neighbouring characters has no usual distance and is unchanged.
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
