import Captures
import ContextSpace
import Foundation
import HTTPServer
import HTTPTypes
import Systems

/// A service that is asked about captures, as the page lists it.
struct StudioSource: Encodable, Sendable {
    /// Name of the provider.
    var id: String
    /// Host that is asked; nil for one on this device.
    var host: String?
    var isOn = true
}

/// Settings of the page: sources, home, concepts, and what left this device.
extension StudioServer {
    private struct Settings: Encodable {
        var sources: [StudioSource]
        var home: Home?
        /// Whether the file of the sources names a home, which counts before this one.
        var hasFileHome: Bool
        var concepts: [UserConcept]
        /// Latest requests as lines of JSON, the newest first.
        var transfers: [String]
    }

    private struct Change: Decodable {
        var name: String?
        var weight: Double?
        var isOn: Bool?
    }

    /// Maximum number of listed requests.
    private static let mostTransfers = 50

    func settings() throws -> Response {
        let off = try store.sourcesOff()
        let transfers = try store.transfers().suffix(Self.mostTransfers).reversed()
        return try LocalPage.json(
            Settings(
                sources: sources.map { StudioSource(id: $0.id, host: $0.host, isOn: !off.contains($0.id)) },
                home: store.home(),
                hasFileHome: hasFileHome,
                concepts: store.concepts(),
                transfers: Array(transfers)
            )
        )
    }

    /// Changes one of the settings; nil for another path.
    func change(_ path: String, _ request: Request) async throws -> Response? {
        switch path {
        case "/api/source":
            let change = try await body(Change.self, of: request, #"{"name": …, "isOn": …}"#)
            guard let name = change.name, let isOn = change.isOn, sources.contains(where: { $0.id == name }) else {
                throw StudioProblem(.badRequest, "expected the name of a source, and isOn")
            }
            let off = try store.sourcesOff()
            try store.keep(sourcesOff: isOn ? off.subtracting([name]) : off.union([name]))
        case "/api/home":
            let home = try await body(
                Home?.self,
                of: request,
                #"{"latitude": …, "longitude": …, "address": …} or null"#
            )
            if let home, Coordinate(latitude: home.latitude, longitude: home.longitude) == nil {
                throw StudioProblem(.badRequest, "expected a latitude from -90 to 90 and a longitude from -180 to 180")
            }
            try store.keep(home: home)
        case "/api/concept":
            let change = try await body(Change.self, of: request, #"{"name": …, "weight": 0 to 10, or null}"#)
            guard let name = change.name, name.known != nil, name.count <= 200 else {
                throw StudioProblem(.badRequest, "expected a name of 1 to 200 characters")
            }
            if let weight = change.weight {
                guard (0...10).contains(weight) else {
                    throw StudioProblem(.badRequest, "expected a weight from 0 to 10")
                }
                var concept =
                    try store.concepts().first { $0.name.lowercased() == name.lowercased() } ?? UserConcept(name: name)
                concept.weight = weight
                try store.keep(concept)
            } else {
                try store.forget(concept: name)
            }
        default: return nil
        }
        return try settings()
    }

    /// Returns the value of a request's body.
    func body<Value: Decodable>(_ type: Value.Type, of request: Request, _ form: String) async throws -> Value {
        let bytes = try await request.body.collect(upTo: 1 << 16)
        guard let value = try? JSONDecoder().decode(type, from: Data(bytes)) else {
            throw StudioProblem(.badRequest, "expected \(form)")
        }
        return value
    }
}
