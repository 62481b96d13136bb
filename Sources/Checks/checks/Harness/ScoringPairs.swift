import Basics

/// Lines of about 30 characters as spines carry them, each with what a recogniser might have made of it.
///
/// The same seed gives the same pairs everywhere. Both texts of a pair are in the NFC view, and in none of them does a
/// grapheme have more than one scalar: that is where tools that count scalars agree with ours.
struct ScoringPairs {
    struct Pair {
        var reference: String
        var hypothesis: String
    }

    private var random: SplitMix64

    /// Makes `count` pairs; `nonASCIIShare` of them, 0…1, hold words with letters beyond ASCII.
    static func make(count: Int, nonASCIIShare: Double, seed: UInt64) -> [Pair] {
        var maker = ScoringPairs(random: SplitMix64(state: seed))
        return (0..<count).map { _ in
            let reference = maker.line(nonASCII: maker.random.nextDouble() < nonASCIIShare)
            return Pair(reference: reference, hypothesis: TextView.nfc.apply(to: maker.misread(reference)))
        }
    }

    /// Words until there are 24 characters or more.
    private mutating func line(nonASCII: Bool) -> String {
        var words: [String] = nonASCII ? [pick(Self.foreignWords)] : []
        var length = words.first?.unicodeScalars.count ?? 0
        while length < 24 {
            let word = pick(nonASCII && random.nextDouble() < 0.3 ? Self.foreignWords : Self.words)
            words.append(random.nextDouble() < 0.3 ? word.uppercased() : word)
            length += word.unicodeScalars.count + 1
        }
        return random.shuffled(words).joined(separator: " ")
    }

    /// Reading with errors: letters mistaken for like ones, lost and made up; gaps lost and found; at times a word is missed.
    private mutating func misread(_ line: String) -> String {
        var read = String.UnicodeScalarView()
        for word in line.split(separator: " ") where random.nextDouble() >= 0.02 {
            if !read.isEmpty, random.nextDouble() >= 0.02 { read.append(" ") }
            for scalar in word.unicodeScalars {
                let chance = random.nextDouble()
                if chance < 0.04 {
                    read.append(Self.likeness[scalar] ?? pickLetter())
                } else if chance < 0.055 {
                    continue
                } else {
                    read.append(scalar)
                    if chance < 0.07 { read.append(pickLetter()) }
                    if chance > 0.995 { read.append(" ") }
                }
            }
        }
        return String(read)
    }

    private mutating func pick(_ words: [String]) -> String { words[random.below(words.count)] }

    private mutating func pickLetter() -> Unicode.Scalar { Self.letters[random.below(Self.letters.count)] }

    private static let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789.,-'|".unicodeScalars)

    /// Letters that recognisers take for others.
    private static let likeness: [Unicode.Scalar: Unicode.Scalar] = [
        "o": "0", "O": "0", "l": "1", "I": "l", "i": "l", "e": "c", "c": "e", "S": "5", "s": "5", "B": "8", "g": "9",
        "n": "u", "u": "v", "v": "y", "h": "b", "b": "h", "t": "f", "f": "t", "a": "o", "r": "t", "Z": "2", "G": "6",
        "é": "e", "è": "e", "ê": "é", "ü": "u", "ö": "o", "ä": "a", "ñ": "n", "ç": "c", "ø": "o", "å": "a", "ß": "B",
        "Ж": "K", "и": "n", "р": "p", "с": "c", "ω": "w", "й": "и", "λ": "A", "戦": "单",
    ]

    private static let words = """
        the of and a in to history world little great house night life death love book art time last first man woman girl \
        king queen war peace road river mountain sea light dark stone glass paper garden winter summer city letters stories \
        collected essays poems complete guide introduction principles theory practice language mind science nature secret \
        lost return empire kingdom island memory shadow silence promise daughter brother between without under beyond against
        """.split(separator: " ").map(String.init)

    private static let foreignWords = """
        été forêt garçon œuvre Zürich Straße Müßiggang über Mädchen niño corazón señor ação São coração Øresund Åse Żółw \
        Łódź příběh č.p. Dvořák İstanbul güneş “Война мир” Преступление наказание Чехов Οδύσσεια λόγος 戦争と平和 東京 物語 \
        雪国 토지 소설 l’étranger d’Artagnan naïve façade café — … €
        """.split(separator: " ").map(String.init)
}
