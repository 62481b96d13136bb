import Basics
import BookCatalogue
import HTTPServer
import HTTPTypes
import Talaria

extension TalariaServer {
    /// Answers `GET /v3/books/search`.
    func search(_ request: Request) async throws -> Response {
        let client = request.headers[.deviceID].flatMap(DeviceID.init)?.text ?? request.remoteAddress
        let rate = try await limiter.admit(client: client, .others)
        let parameters = request.query
        guard let query = parameters["q"], query.hasLetterOrNumber else {
            throw Problem.invalidRequest("The parameter q must contain words of a title, an author's name or an ISBN.")
        }
        guard query.count <= limits.queryCharacters else {
            throw Problem.invalidRequest("The parameter q is longer than \(limits.queryCharacters) characters.")
        }
        let limit = try number("limit", parameters["limit"], default: 20, in: 1...100)
        let offset = try number("offset", parameters["offset"], default: 0, in: 0...10_000)
        let (catalogue, queue) = (resolver.catalogue, resolvingQueue)
        let books = try await request.whileConnected {
            try await queue.run { try catalogue.search(query, limit: limit, offset: offset) }
        }
        return JSON.response(Envelope(data: ["books": books.map(BookMetadata.init)])).with(rate)
    }

    private func number(
        _ name: String,
        _ text: String?,
        default standard: Int,
        in range: ClosedRange<Int>
    ) throws -> Int {
        guard let text else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw Problem.invalidRequest(
                "The parameter \(name) must be a number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }
}

extension StringProtocol {
    /// Whether there is anything to look up: a letter or a number, by Unicode's general categories L and N, as in the
    /// description of the API.
    var hasLetterOrNumber: Bool {
        unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .letterNumber, .otherNumber:
                true
            default: false
            }
        }
    }
}
