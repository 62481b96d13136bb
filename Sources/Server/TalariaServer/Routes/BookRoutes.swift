import Basics
import BookCatalogue
import HTTPServer
import HTTPTypes
import Talaria

extension TalariaServer {
    /// Answers `GET /v3/books/search`.
    func search(_ request: Request) async throws -> Response {
        let parameters = request.query
        guard let query = parameters["q"], query.hasLetterOrNumber else {
            throw Problem(
                .invalidRequest,
                "The parameter q must contain words of a title, an author's name or an ISBN."
            )
        }
        guard query.count <= 500 else {
            throw Problem(.invalidRequest, "The parameter q is longer than 500 characters.")
        }
        let limit = try number("limit", parameters["limit"], default: 20, in: 1...100)
        let offset = try number("offset", parameters["offset"], default: 0, in: 0...10_000)
        let books = try await resolvingQueue.run { [resolver] in
            try resolver.catalogue.search(query, limit: limit, offset: offset)
        }
        return JSON.envelope(["books": books.map(BookMetadata.init)])
    }

    private func number(
        _ name: String,
        _ text: String?,
        default standard: Int,
        in range: ClosedRange<Int>
    ) throws -> Int {
        guard let text else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw Problem(
                .invalidRequest,
                "The parameter \(name) must be a number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Whether there is anything to look up: a letter or a number, by Unicode's general categories L and N, as in the
    /// description of the API.
    var hasLetterOrNumber: Bool {
        firstMatch(of: /[\p{L}\p{N}]/.matchingSemantics(.unicodeScalar)) != nil
    }
}
