import Basics

/// Finds ISBNs in a text.
enum ISBNFinder {
    /// Returns the numbers with a right check digit in a text, each once, in order.
    ///
    /// Hyphens and single spaces may separate the digits; a number does not begin or end inside a group of digits.
    static func numbers(in text: String) -> [ISBN] {
        var found: [ISBN] = []
        for run in runs(of: Array(text.utf8)) {
            for (start, first) in run.enumerated() {
                var digits: [UInt8] = []
                for group in run[start...] {
                    digits += group
                    guard digits.count <= 13 else { break }
                    guard digits.count == 10 || digits.count == 13, !first.isEmpty else { continue }
                    if let isbn = ISBN(String(decoding: digits, as: UTF8.self)), !found.contains(isbn) {
                        found.append(isbn)
                    }
                }
            }
        }
        return found
    }

    /// Groups of digits with only a hyphen or a space between, of at least ten digits in all.
    private static func runs(of bytes: [UInt8]) -> [[[UInt8]]] {
        var runs: [[[UInt8]]] = []
        var run: [[UInt8]] = []
        var group: [UInt8] = []
        var separators = 0
        for byte in bytes + [0] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                group.append(byte)
                separators = 0
            case UInt8(ascii: "X"), UInt8(ascii: "x"):
                group.append(byte)
            case UInt8(ascii: "-"), UInt8(ascii: " "):
                if !group.isEmpty { run.append(group) }
                group = []
                separators += 1
                if separators == 1 { continue }
                fallthrough
            default:
                if !group.isEmpty { run.append(group) }
                if run.reduce(0, { $0 + $1.count }) >= 10 { runs.append(run) }
                (run, group) = ([], [])
            }
        }
        return runs
    }
}

/// Words by their appearance rather than their spelling: characters that readers confuse become one.
///
/// 0 and o, 1 and l and i, 5 and s, rn and m, cl and d, vv and w.
enum OpticalShape {
    /// Returns the shapes of folded words, with the same spaces between them.
    static func of(_ folded: some Collection<UInt8>) -> [UInt8] {
        var shape: [UInt8] = []
        shape.reserveCapacity(folded.count)
        append(folded, to: &shape)
        return shape
    }

    /// Appends the shapes of folded words to others.
    static func append(_ folded: some Collection<UInt8>, to shape: inout [UInt8]) {
        let start = shape.count
        var previous: UInt8 = 0
        for byte in folded {
            let last = shape.count - 1
            switch (previous, byte) {
            case (UInt8(ascii: "r"), UInt8(ascii: "n")) where last >= start: shape[last] = UInt8(ascii: "m")
            case (UInt8(ascii: "v"), UInt8(ascii: "v")) where last >= start: shape[last] = UInt8(ascii: "w")
            case (UInt8(ascii: "c"), UInt8(ascii: "l")) where last >= start: shape[last] = UInt8(ascii: "d")
            default:
                shape.append(single[Int(byte)])
                previous = byte
                continue
            }
            previous = 0
        }
    }

    private static let single: [UInt8] = (0...255).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "0"): UInt8(ascii: "o")
        case UInt8(ascii: "1"), UInt8(ascii: "l"): UInt8(ascii: "i")
        case UInt8(ascii: "5"): UInt8(ascii: "s")
        default: UInt8(byte)
        }
    }
}

/// Words on spines that belong to the publisher or the series rather than to the book.
enum Imprints {
    static let words = Set(
        """
        abacus albin alfaguara alianza allen ariel aufbau avon back ballantine bantam barcanova barnes basic bay berkley \
        biblioteca bloomsbury bolsillo books bur calmann cambridge casterman castermans catedra clarion classics classiques \
        collection collins columna compass corgi critica cruilla dalloz daw del delacorte delta dell deusto diogenes dtv dutton eaton flamingo canongate ace \
        ed edebe edhasa edicions ediciones edition editions editorial editores einaudi empuries espasa everyman faber fabula \
        farrar fayard feltrinelli fiction fischer flammarion folio fontana gallimard garzanti giroux goldmann grasset greenwillow \
        grijalbo grove hachette hanser harcourt hardcover harper harpercollins harvard headline henry heyne hodder holt houghton \
        hyperion insel juventud kairos klett kiepenheuer knaur knopf larousse laurel leaf lectorum lippincott livre llibres \
        macmillan mandarin mariner mcgraw meridian mifflin minotauro mondadori morrow newbery nonfiction noguer norton novel novela \
        novella orbit orion oxford paidos pan pantheon paperback paperbacks pearson penguin perennial picador piper planeta plaza plon plume pocket \
        point poche portic presses press proa puffin pulse putnam random reclam roca rowohlt rororo routledge sandpiper sasquatch \
        schocken scholastic scribner seuil shuster schuster signet siglo silvertail simon siruela springer square suhrkamp teide tor touchstone \
        tusquets ullstein university vergara verlag verso vicens viking vintage virago wiley wordsworth yale yearling york zsolnay
        """.split { $0 == " " || $0 == "\n" }.map { Array($0.utf8) }
    )
}
