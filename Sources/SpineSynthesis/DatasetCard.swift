import SpineDatasets

/// What `dataset.json` and `CARD.md` say about a synthetic data set.
struct DatasetCard: Encodable {
    let name: String
    let version = "1.1.0"
    let licence = "CC0-1.0"
    let description =
        "Synthetic book spines with labels: a first set to run the benchmark on, not to judge a scanner by."
    let seed: UInt64
    let count: Int
    /// How many spines of each category there are, in the order in which they are told.
    let categories: [(category: SampleCategory, count: Int)]
    /// The font families that text was drawn with.
    let fonts: [String]
    /// What the digest of the labels and pictures has to be; nil when nobody took it.
    let contentDigest: String?

    init(
        name: String,
        seed: UInt64,
        categories: [(category: SampleCategory, count: Int)],
        fonts: [String],
        contentDigest: String?
    ) {
        self.name = name
        self.seed = seed
        self.categories = categories
        count = categories.map(\.count).reduce(0, +)
        self.fonts = fonts
        self.contentDigest = contentDigest
    }

    private enum CodingKeys: CodingKey {
        case name
        case version
        case licence
        case description
        case seed
        case count
        case fonts
        case contentDigest
    }

    /// "24 vertical, 24 inverted, 4 horizontal".
    private var shares: String {
        categories.filter { $0.count > 0 }.map { "\($0.count) \($0.category.rawValue)" }.joined(separator: ", ")
    }

    /// `CARD.md`.
    var text: String {
        """
        # \(name)

        \(count) synthetic pictures of book spines with labels, licence \(licence).

        ## How it was made

        `spinebench dataset synth --count \(count) --seed \(seed)` drew every spine with Pango and Cairo and then
        photographed it in software: perspective, defocus, uneven light, reflections, sensor noise, JPEG at quality 70–92.
        More than half of the spines are small, as if cut from a photo of a whole shelf, though never so small that a title
        or an author falls below a font size of 13 pixels; three in ten are dark, noisy and out of focus; about a third of
        the titles are faint, at a contrast of 2 to 3 with the cover where one of the inks has that.
        Titles and authors are those of real books in \(Book.Language.allCases.count) languages. The publishers' names are
        invented, and so is every design: no picture shows an edition that exists. The same seed, fonts and library
        versions give the same bytes.

        Fonts: \(fonts.joined(separator: ", ")).

        ## Labels

        Samples by category: \(shares). From 22 on, a score can decide whether a category
        meets its target.

        | category | what it holds |
        |---|---|
        | vertical | text along the spine, running down or up |
        | inverted | a book standing on its head; `orientation` says how its text runs in the picture |
        | stylized | script, blackletter, outlined, hollow, shadowed, embossed, letter-spaced or small-capital lettering, \
        foil of low contrast, a picture behind the text, small words between big ones |
        | horizontal | words stacked on a thick spine, or a book lying on its back |
        | mixed | author across the spine, title along it |

        `transcription` holds all text in reading order, in the direction of the title, but for publishers' names in a font
        size below 11 pixels, which nobody reads with certainty. `author` is what is printed: the whole name or the surname.
        `quad` is the spine's outline and `lines` has each printed line with its role, outline, font family and size, in
        pixels. Small capitals are labelled with small letters.

        ## Good for

        Running the whole benchmark without other data; noticing that a change broke the reading of a direction or a
        style; comparing runs on one machine.

        ## Not good for

        Deciding whether a scanner may ship. How many of these titles an engine reads says little about real photographs.
        Real spines have illustrations, worn print, hand lettering, stickers, curved backs, motion blur, lamps in bad places, and
        other books in front of them; these have few or none of that. Lettering comes from a few fonts, and titles are well
        known, so that a reader with a language model has it easy. Where real photographs and this set disagree, the real
        ones decide.

        """
    }
}
