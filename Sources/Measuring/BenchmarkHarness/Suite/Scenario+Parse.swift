import Foundation

extension Scenario {
    /// The scenario that `text` says: a kind, and settings after a colon.
    ///
    /// "server:rate=5,seconds=60", "offline:lanes=2,batch=8", "soak".
    ///
    /// - Throws: ``HarnessError/configuration(_:)`` for what it cannot be, with what it may be.
    package static func parse(_ text: String) throws(HarnessError) -> Scenario {
        func problem(_ message: String) -> HarnessError { .configuration("scenario \"\(text)\": \(message)") }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let kind = Kind(rawValue: parts[0].trimmingCharacters(in: .whitespaces)) else {
            let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw problem("there is no kind \"\(parts[0])\"; there are \(kinds)")
        }
        var scenario = Scenario(kind)
        var seen: Set<String> = []
        for setting in parts.dropFirst().flatMap({ $0.split(separator: ",") }) {
            let pair = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2 else { throw problem("\"\(setting)\" is no setting; write name=value") }
            let (name, value) = (pair[0], pair[1])
            guard settings(of: kind).contains(name) else {
                let names = settings(of: kind)
                let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
                throw problem("\(kind.rawValue) has no setting \"\(name)\"; \(known)")
            }
            guard seen.insert(name).inserted else { throw problem("\"\(name)\" stands there twice") }
            switch name {
            case "rate", "seconds":
                guard let number = Double(value) else { throw problem("\(name) is \"\(value)\"; expected a number") }
                if name == "rate" { scenario.ratePerSecond = number } else { scenario.seconds = number }
            default:
                guard let number = Int(value) else {
                    throw problem("\(name) is \"\(value)\"; expected a whole number")
                }
                if name == "readings" { scenario.readings = number }
                if name == "lanes" { scenario.lanes = number }
                if name == "batch" { scenario.batch = number }
            }
        }
        if let message = scenario.problem { throw problem(message) }
        return scenario
    }

    /// The settings that mean something in a kind.
    private static func settings(of kind: Kind) -> [String] {
        switch kind {
        case .single: []
        case .server: ["rate", "seconds", "readings", "lanes"]
        case .offline: ["seconds", "readings", "lanes", "batch"]
        case .soak: ["seconds"]
        case .cold: ["readings"]
        case .live: ["rate", "readings"]
        case .audit: ["readings", "lanes"]
        }
    }
}
