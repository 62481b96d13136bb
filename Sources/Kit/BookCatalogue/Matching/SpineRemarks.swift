import Basics

/// Words that spines of any book have beside title and author: editions, prizes, kinds of books, who translated them.
enum SpineRemarks {
    /// Articles, prepositions and conjunctions: these do not distinguish titles.
    static let particles = words(
        """
        the and for with from into upon that this his her its our your their you not are was all der die das den dem des ein eine \
        und von mit aus les des une dans pour sur par aux est los las del una por para con que els dels amb per gli della dei delle \
        nel het een van voor och som med til
        """
    )

    /// Words that are never another title's.
    private static let single = words(
        """
        novel novels edition editions anniversary ed edn edicion edicio edizione auflage revised updated expanded enlarged abridged unabridged \
        illustrated paperback hardcover hardback bestseller bestsellers bestselling memoir thriller roman romans romanzo novela novella \
        volume vol volumes part book books tome tomo band bd teil deel parte partie livre libro author library series classic classics worlds
        """
    )

    /// Words that name a publisher, a series or a library's genre, beside ``Imprints/words``.
    private static let ofPublishers = words(
        """
        house library publishing publishers publisher publications company group media editore edizioni edicoes forlag forlaget \
        uitgeverij wydawnictwo kiado nakladatelstvi libri libros livres libreria shobo bunko modern contemporary essential essentials \
        fantasy mystery family issues history historical biography adventure humor humour romance sports science horror poetry drama dear america
        """
    )
    /// Short words that are in no names.
    static let shortParticles = words("my we us in of to by at on an or is it")
    /// Short words in persons' names.
    static let ofNames = words("de van von der den del della di da la le du dos das ter ten mac san")

    /// Words for other works that have a book's title in theirs: sets of it, and books about it.
    private static let otherWorks = words("boxset omnibus companion workbook integrale cliffsnotes sparknotes")
    private static let pairsOfOtherWorks = pairs("box set,boxed set,york notes,cliffs notes,spark notes,study guide")
    /// Words before the title of another book of the author.
    private static let references = pairs("author of,sequel to,creator of,auteur de,auteure de,autor von,autorin von")
    private static let articles = words("the a an le la les der die das el los las")

    /// Words that make a remark of those around them: "Winner of the Hugo Award", "Translated by John Smith".
    private static let heads = words(
        """
        award awards winner winning prize medal bestseller bestselling translated translation translator introduction introduced foreword \
        preface afterword edited editor illustrated pulitzer booker shortlisted longlisted selection traduccion prologo uebersetzt \
        ubersetzt traduit prix premio premi preis
        """
    )
    /// Words that make such a head of "picture".
    private static let ofPictures = words("motion major")

    /// Words around a head that belong to it.
    private static let reach = 4

    /// Words that make a remark of the number before them: "Second Edition".
    private static let numbered = words("edition edn ed anniversary edicion edicio edizione auflage")

    /// Words with which a title does not end: it continues on the next line.
    private static let open = words(
        """
        a an the of and for in to from with on at by my our his her your its or that de del des du la le les el los las l d y e et \
        i en un une una von vom zum zur der die das dem den und im ein eine di da dei della per con che van het een voor
        """
    )
    /// Words with which a title does not begin: it continues from the line before.
    private static let continuing = words(
        "of and for in to from with on at or de del des du et y e und von im zur zum di della per con en van voor"
    )

    private static let longNames = (Array(Imprints.words) + ofPublishers).filter { $0.count > 5 }.map(OpticalShape.of)

    /// Returns whether a word names a publisher or a series of one; a word that no book has may be one misread.
    static func isOfPublisher(_ letters: ArraySlice<UInt8>, isKnown: Bool) -> Bool {
        if Imprints.words.contains(Array(letters)) || ofPublishers.contains(Array(letters)) { return true }
        guard !isKnown, letters.count > 5 else { return false }
        let shape = OpticalShape.of(letters)
        return longNames.contains { name in
            abs(name.count - shape.count) <= 2 && Levenshtein.distance(name, shape) * 4 <= max(name.count, shape.count)
        }
    }

    /// Returns whether a word may be on any book's spine, or is a small one.
    static func isOfAnyBook(_ letters: ArraySlice<UInt8>) -> Bool {
        letters.count < 3 || single.contains(Array(letters)) || isSmallWord(letters)
    }

    /// Returns whether a word is an article, a preposition, a conjunction or the like.
    static func isSmallWord(_ letters: ArraySlice<UInt8>) -> Bool {
        [particles, shortParticles, articles].contains { $0.contains(Array(letters)) }
    }

    /// Returns whether a word is a preposition, a conjunction or the like; not an article, nor one before an author.
    static func isParticle(_ letters: ArraySlice<UInt8>) -> Bool {
        let word = Array(letters)
        return (particles.contains(word) || shortParticles.contains(word)) && !articles.contains(word)
            && !ofAuthors.contains(word)
    }

    private static let ofAuthors = words(
        "by von par por per van och med til av una des dem den das der die del los las the"
    )

    /// Returns whether a title may continue from a line to the next one.
    static func joins(_ last: ArraySlice<UInt8>, _ next: ArraySlice<UInt8>) -> Bool {
        open.contains(Array(last)) || continuing.contains(Array(next))
    }

    /// Returns whether each word is part of a remark that any book's spine may have.
    static func marks(_ folded: [ArraySlice<UInt8>], endsLine: [Bool]) -> [Bool] {
        var marks = folded.map { single.contains(Array($0)) }
        var start = 0
        for place in folded.indices where endsLine[place] {
            let line = start...place
            for head in line.dropFirst() where numbered.contains(Array(folded[head])) { marks[head - 1] = true }
            for head in line
            where heads.contains(Array(folded[head])) || head > start && ofPictures.contains(Array(folded[head - 1])) {
                for near in line where abs(near - head) <= reach { marks[near] = true }
            }
            start = place + 1
        }
        return marks
    }

    /// Places of words that make another work of a title anywhere on the spine.
    static func otherWorks(_ folded: [ArraySlice<UInt8>]) -> [Int] {
        folded.indices.filter { place in
            otherWorks.contains(Array(folded[place])) || pairsOfOtherWorks.contains(pair(folded, place))
        }
    }

    /// Returns the places where the title of another book begins, after "author of".
    static func references(_ folded: [ArraySlice<UInt8>]) -> [Int] {
        folded.indices.filter { references.contains(pair(folded, $0)) }.flatMap { place in
            let next = place + 2
            return folded.indices.contains(next) && articles.contains(Array(folded[next])) ? [next, next + 1] : [next]
        }
    }

    private static func pair(_ folded: [ArraySlice<UInt8>], _ place: Int) -> [[UInt8]] {
        folded[place...].prefix(2).map(Array.init)
    }

    private static func pairs(_ text: String) -> Set<[[UInt8]]> {
        Set(text.split(separator: ",").map { $0.split(separator: " ").map { Array($0.utf8) } })
    }

    /// Returns the words of a list with spaces or line breaks between.
    static func words(_ text: String) -> Set<[UInt8]> {
        Set(text.split { $0 == " " || $0 == "\n" }.map { Array($0.utf8) })
    }
}
