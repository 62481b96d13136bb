/// The colours that the generator chooses from.
enum Palette {
    /// Colours of dark spines; black ones are the most frequent of all.
    static let darks: [Colour] = [
        0x121214, 0x17171C, 0x1B1B1F, 0x0E0E10, 0x1D2B4F, 0x0F3B57, 0x3A3D42, 0x551A2B, 0x142218, 0x2B2320, 0x2A1536,
        0x20303A, 0x5B3A26, 0x1E4034,
    ].map { Colour($0) }

    /// Whites, creams and pale tints.
    static let lights: [Colour] = [
        0xFBFBF9, 0xF2EFE8, 0xF7F3EA, 0xFFFFFF, 0xE9DFC6, 0xEDEDEE, 0xDDE6EA, 0xF3E3D7, 0xB9B2A4, 0xCFE0CF, 0xE8D9E4,
    ].map { Colour($0) }

    /// Saturated and middling colours.
    static let colours: [Colour] = [
        0x9E1B22, 0xD43A2F, 0xE2702A, 0xECC531, 0x1F6F70, 0x2D5A3A, 0x6D7038, 0x56306B, 0xD98AA0, 0x6FA8CF, 0x2759A5,
        0xC3A276, 0x8B8D8F, 0xA8CDB5, 0xE4407F, 0x00897B, 0x3F8F4F, 0xF08A24, 0x7A1F3D, 0x4B5FA8, 0xF2D64B, 0x128CB8,
        0xB5432E, 0x8E9E3A,
    ].map { Colour($0) }

    /// Colours that spines are bound in.
    static let covers: [Colour] = darks + lights + colours

    /// Inks that their text is printed in.
    static let inks: [Colour] = [
        0xFFFFFF, 0xF6EFDD, 0x16161A, 0xD9B25A, 0xC9CCD1, 0xC4242B, 0xF4D03F, 0x1B2A55, 0xEE8434, 0xA9D3EE, 0x1E5B3B,
        0x6B1F2E, 0xF7B7C5, 0x2B6CB0, 0x0F6E6E, 0x5A2A82, 0x7BC8A4, 0xE4572E, 0x5C3B1E, 0x9A9EA4,
    ].map { Colour($0) }

    /// Inks that most text is printed in: white, cream, black.
    static let plainInks: [Colour] = [0xFFFFFF, 0xFFFFFF, 0xF6EFDD, 0x111114, 0x1C1C20].map { Colour($0) }

    /// Metal foils, as darkest, middle, brightest.
    static let foils: [[Colour]] = [
        [Colour(0x8A6A2A), Colour(0xC9A24B), Colour(0xF0DDA0)],
        [Colour(0x7D8288), Colour(0xB4B9BE), Colour(0xE8EBEE)],
        [Colour(0x7A4630), Colour(0xB87A55), Colour(0xE3B596)],
    ]
}
