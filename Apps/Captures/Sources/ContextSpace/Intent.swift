/// Purpose of a capture.
package enum Intent: String, Sendable, Codable, CaseIterable {
    case shopping = "Shopping"
    case researching = "Researching"
    case reading = "Reading"
    case broadcasting = "Broadcasting"
    case travelling = "Travelling"
    case dining = "Dining"
    case coding = "Coding"
    case listening = "Listening"

    /// Words that indicate it, folded, with spaces between.
    private var words: String {
        switch self {
        case .shopping:
            """
            price buy sale discount cart shop store offer checkout shipping product receipt total eur usd \
            market voucher coupon stock
            """
        case .researching:
            """
            abstract paper study research journal doi arxiv university thesis experiment results method \
            references conference survey dataset science encyclopedia
            """
        case .reading:
            """
            book novel chapter author bookshelf books library isbn edition publisher poems stories newspaper \
            magazine
            """
        case .broadcasting:
            """
            live stream podcast episode channel subscribe broadcast studio microphone radio followers video \
            premiere
            """
        case .travelling:
            """
            train flight gate boarding station platform airport ticket hotel museum departure arrival \
            passport tram bus ferry map tour
            """
        case .dining:
            """
            menu restaurant cafe coffee breakfast lunch dinner dessert wine bar recipe espresso pizza \
            starter bakery kitchen soup
            """
        case .coding:
            """
            swift python compiler error function debug github api terminal git commit struct docs \
            documentation programming javascript rust
            """
        case .listening:
            """
            album song artist concert playlist track music vinyl band guitar lyrics orchestra spotify
            """
        }
    }

    /// Stems of its words.
    package var stems: Set<String> { Self.stemsOfAll[self] ?? [] }

    private static let stemsOfAll = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, WordStem.words(of: $0.words)) }
    )
}
