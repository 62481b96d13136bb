import Basics
import Foundation

struct ProfileParser {
    private var fields: ProfileFields
    private let bytes: [UInt8]
    private let root: JSONValue

    /// Returns the profile in a file, with every figure in its range.
    ///
    /// - Throws: `DeviceError.profiles` with all faults.
    static func parse(_ bytes: [UInt8], file: String) throws(DeviceError) -> DeviceProfile {
        var parser: ProfileParser
        do {
            let fields = ProfileFields(file: file, bytes: bytes, members: try JSONParser.members(of: bytes))
            parser = ProfileParser(fields: fields, bytes: bytes, root: try JSONParser.parse(bytes))
        } catch {
            let line = bytes.prefix(error.column - 1).count { $0 == UInt8(ascii: "\n") } + 1
            let fault = ProfileFault(file: file, line: line, key: "", problem: "is not JSON: \(error.problem)")
            throw DeviceError.profiles([fault])
        }
        let profile = parser.profile()
        guard let profile, parser.fields.faults.isEmpty else {
            throw DeviceError.profiles(parser.fields.faults.sorted { $0.line < $1.line })
        }
        return profile
    }

    static let keys = [
        "name", "chip", "tier", "memory", "hasNeuralEngine", "appleIntelligence", "systems", "claims", "notes",
        "figures", "traces",
    ]

    private mutating func profile() -> DeviceProfile? {
        guard let root = fields.object(root, "", keys: Self.keys) else { return nil }
        let name = fields.text(root["name"], "name")
        let chip = fields.text(root["chip"], "chip")
        let tier = fields.choice(root["tier"], "tier", of: DeviceProfile.Tier.self)
        let memory = estimate(root["memory"], "memory", in: 0.5...64, unit: "GB")
        let hasNeuralEngine = flag(root["hasNeuralEngine"], "hasNeuralEngine")
        let intelligence = fields.choice(
            root["appleIntelligence"],
            "appleIntelligence",
            of: DeviceProfile.Intelligence.self
        )
        let systems = systems(root["systems"])
        let claims = claims(root["claims"])
        let notes = notes(root["notes"])
        let figures = figures(root["figures"])
        let traces = traces(root["traces"])
        guard let tier, let memory, let intelligence, let systems else { return nil }
        return DeviceProfile(
            name: name,
            chip: chip,
            tier: tier,
            memory: memory,
            hasNeuralEngine: hasNeuralEngine,
            appleIntelligence: intelligence,
            systems: systems,
            claims: claims,
            notes: notes,
            figures: figures,
            traces: traces
        )
    }

    private mutating func estimate(
        _ value: JSONValue?,
        _ path: String,
        in range: ClosedRange<Double>,
        unit: String
    ) -> Estimate? {
        guard let entries = fields.object(value, path, keys: ["value", "low", "high", "kind", "source"]) else {
            return nil
        }
        let nominal = fields.number(entries["value"], "\(path).value", in: range, unit: unit)
        let low = fields.number(entries["low"], "\(path).low", in: range, unit: unit)
        let high = fields.number(entries["high"], "\(path).high", in: range, unit: unit)
        let kind = fields.choice(entries["kind"], "\(path).kind", of: Estimate.Kind.self)
        let source = fields.text(entries["source"], "\(path).source")
        guard let nominal, let low, let high, let kind else { return nil }
        if low > nominal {
            fields.fault("\(path).low", "is \(NumberText.short(low)), above the value \(NumberText.short(nominal))")
        }
        if high < nominal {
            fields.fault("\(path).high", "is \(NumberText.short(high)), below the value \(NumberText.short(nominal))")
        }
        return Estimate(nominal, low: low, high: high, source: source, kind: kind)
    }

    private mutating func figures(_ value: JSONValue?) -> [DeviceFigure: Estimate] {
        let keys = DeviceFigure.allCases.map(\.rawValue)
        guard let entries = fields.object(value, "figures", keys: keys) else { return [:] }
        var figures: [DeviceFigure: Estimate] = [:]
        for figure in DeviceFigure.allCases {
            let (path, meaning) = ("figures.\(figure.rawValue)", figure.meaning)
            figures[figure] = estimate(entries[figure.rawValue], path, in: meaning.range, unit: meaning.unit)
        }
        for side in Estimate.Side.allCases {
            demand([.fairAt, .seriousAt, .criticalAt], side, of: figures, "above") { $0 < $1 }
            demand([.fairSpeed, .seriousSpeed, .criticalSpeed], side, of: figures, "at most") { $0 >= $1 }
        }
        return figures
    }

    private mutating func demand(
        _ order: [DeviceFigure],
        _ side: Estimate.Side,
        of figures: [DeviceFigure: Estimate],
        _ relation: String,
        isInOrder: (Double, Double) -> Bool
    ) {
        for (first, second) in zip(order, order.dropFirst()) {
            guard let before = figures[first]?[side], let after = figures[second]?[side], !isInOrder(before, after)
            else { continue }
            let key = side == .nominal ? "value" : side.rawValue
            fields.fault(
                "figures.\(second.rawValue).\(key)",
                "is \(NumberText.short(after)); expected \(relation) \(first.rawValue)'s \(NumberText.short(before))"
            )
        }
    }

    private mutating func claims(_ value: JSONValue?) -> [String: Estimate] {
        guard let value, let entries = fields.object(value, "claims", keys: nil) else { return [:] }
        var claims: [String: Estimate] = [:]
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
            claims[key] = estimate(entry, "claims.\(key)", in: -1e9...1e9, unit: "")
        }
        return claims
    }

    private mutating func notes(_ value: JSONValue?) -> [String] {
        guard let value else { return [] }
        guard case .array(let list) = value else {
            return fields.wrong(value, "notes", expected: "a list of texts") ?? []
        }
        return list.enumerated().map { fields.text($1, "notes[\($0)]") }
    }

    private mutating func systems(_ value: JSONValue?) -> ClosedRange<Int>? {
        let expected = "the oldest and the newest major version, such as [15, 26]"
        guard case .array(let pair)? = value, pair.count == 2, case .number(let oldest) = pair[0],
            case .number(let newest) = pair[1], 1 <= oldest, oldest <= newest, newest < 1000,
            let oldest = Int(exactly: oldest), let newest = Int(exactly: newest)
        else { return fields.wrong(value, "systems", expected: expected) }
        return oldest...newest
    }

    private mutating func flag(_ value: JSONValue?, _ path: String) -> Bool {
        if case .bool(let flag)? = value { return flag }
        return fields.wrong(value, path, expected: "true or false") ?? false
    }

    private mutating func traces(_ value: JSONValue?) -> [DeviceTrace] {
        guard value != nil, let place = fields.place(of: "traces") else { return [] }
        do {
            let traces = try JSONDecoder().decode([DeviceTrace].self, from: Data(bytes[place]))
            for (index, trace) in traces.enumerated() {
                if let problem = trace.problem { fields.fault("traces", "number \(index + 1) \(problem)") }
            }
            return traces
        } catch {
            fields.fault("traces", "cannot be read: \(Self.reason(of: error))")
            return []
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            "\(path(context.codingPath)): \(context.debugDescription)"
        default: "\(error)"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map { "number \($0 + 1)" } ?? $0.stringValue }.joined(separator: ".")
    }
}
