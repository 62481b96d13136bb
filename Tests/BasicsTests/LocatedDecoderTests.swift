import Basics
import Testing

@Suite struct LocatedDecoderTests {
    private enum Policy: String, Codable, CaseIterable, CodingKeyRepresentable { case proactive, interval, none }

    private struct Metric: Decodable, Named, Equatable {
        static let kind = "metric"
        static let names = ["title-read", "latency-p95"]
        var id: String

        init(id: String) { self.id = id }
        init(from decoder: any Decoder) throws { id = try decoder.singleValueContainer().decode(String.self) }
        static func named(_ name: String) -> Metric? { names.contains(name) ? Metric(id: name) : nil }
        static func advice(for name: String) -> String? { name == "memory" ? "\"memory\" has gone" : nil }
    }

    private struct Session: Decodable, Checked {
        var minutes: Double?
        var policy: Policy?
        var gate: Bool?

        mutating func check(_ at: Checker) { at["minutes"].range(minutes, 0...10, above: true) }
    }

    /// Two corners, which have no stand-in.
    private struct Pair: Decodable, Equatable {
        var values: [Int]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            values = try container.decode([Int].self)
            guard values.count == 2 else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "a pair has two numbers")
            }
        }
    }

    private struct Claim: Decodable, Checked {
        var metric: Metric?
        var session: Session?
        var below: Double?
        var above: Double?
        var pair: Pair?
        var speeds: [Policy: Double]?
        var range: ClosedRange<Int>?
        var names: OneOrMore<String>?

        mutating func check(_ at: Checker) {
            at.one(of: ["below", "above"])
            at["names"].unique(names?.values ?? []) { "the name \($0)" }
        }
    }

    private struct File: Decodable, Checked {
        var name: String
        var count: Int?
        var seed: UInt64?
        var isOn: Bool
        var claims: [Claim]

        static var defaults: [String: LocatedNode.Content] { ["isOn": .bool(true)] }

        mutating func check(_ at: Checker) { at["name"].filled(name) }
    }

    private func faults(_ json: String, ignoresUnknownKeys: Bool = false) -> [String] {
        let collector = FaultCollector(file: "f", ignoresUnknownKeys: ignoresUnknownKeys)
        do throws(Faults) {
            let root = try JSONParser.node(Array(json.utf8), collector)
            _ = try LocatedDecoder.decode(File.self, from: root, collector)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test func aRightFileIsDecoded() throws {
        let json = """
            {"name": "n", "count": 2, "seed": 7, "claims": [
              {"metric": "title-read", "below": 0.5, "pair": [1, 2], "speeds": {"none": 1}, "range": [3, 5],
               "names": "one", "session": {"minutes": 10, "policy": "interval", "gate": true}},
              {"above": 1e3, "names": ["a", "b"]}]}
            """
        let root = try JSONParser.node(Array(json.utf8))
        let file = try LocatedDecoder.decode(File.self, from: root, FaultCollector(file: "f"))
        #expect(file.name == "n" && file.isOn && file.count == 2 && file.seed == 7 && file.claims.count == 2)
        let claim = file.claims[0]
        #expect(claim.metric == Metric(id: "title-read") && claim.below == 0.5 && claim.pair?.values == [1, 2])
        #expect(claim.speeds == [.none: 1] && claim.range == 3...5 && claim.names?.values == ["one"])
        #expect(claim.session?.minutes == 10 && claim.session?.policy == .interval && claim.session?.gate == true)
        #expect(file.claims[1].names?.values == ["a", "b"] && file.claims[1].above == 1000)
    }

    /// The claims of a file, and its faults.
    @Test(
        arguments: [
            ("[]", []), ("7", ["1:25: claims: invalid value 7; expected a list"]),
            (#"[7, {"below": 1}]"#, ["1:26: claims[0]: invalid value 7; expected a mapping"]),
            ("[{}]", ["1:26: claims[0]: expected exactly one of below, above; found none"]),
            (
                #"[{"below": 1, "above": 2}]"#,
                ["1:26: claims[0]: expected exactly one of below, above; found below and above"]
            ),
            (
                #"[{"belov": 1}]"#,
                [
                    "1:26: claims[0]: expected exactly one of below, above; found none",
                    "1:27: claims[0].belov: unknown key; did you mean \"below\"?",
                ]
            ),
            (
                #"[{"below": "1", "metric": "title-raed"}]"#,
                [
                    "1:36: claims[0].below: invalid value \"1\"; expected a number",
                    "1:51: claims[0].metric: unknown metric \"title-raed\"; did you mean \"title-read\"?",
                ]
            ),
            (#"[{"below": 1, "metric": "memory"}]"#, ["1:49: claims[0].metric: \"memory\" has gone"]),
            (
                #"[{"below": 1, "session": {"minutes": 11, "policy": "intervall", "gate": "on"}}]"#,
                [
                    "1:62: claims[0].session.minutes: invalid value 11; expected a number above 0, at most 10",
                    "1:76: claims[0].session.policy: invalid value \"intervall\"; did you mean \"interval\"? "
                        + "expected proactive, interval, none",
                    "1:97: claims[0].session.gate: invalid value \"on\"; expected true or false",
                ]
            ),
            // What has no stand-in is left out, and the rest is read.
            (
                #"[{"below": 1, "pair": [1], "names": 3}]"#,
                [
                    "1:47: claims[0].pair: a pair has two numbers",
                    "1:61: claims[0].names: invalid value 3; expected text",
                ]
            ),
            (#"[{"below": 1, "pair": 4}]"#, ["1:47: claims[0].pair: invalid value 4; expected a list"]),
            (
                #"[{"below": 1, "speeds": {"nome": 1, "none": "x"}}]"#,
                [
                    "1:50: claims[0].speeds.nome: unknown key; did you mean \"none\"?",
                    "1:69: claims[0].speeds.none: invalid value \"x\"; expected a number",
                ]
            ),
            (
                #"[{"below": 1, "range": [1]}]"#,
                ["1:48: claims[0].range: invalid value a list of 1; expected more elements"]
            ),
            (
                #"[{"below": 1, "range": [1, 2, 3]}]"#,
                ["1:48: claims[0].range: invalid value a list of 3; expected 2"]
            ),
            (
                #"[{"below": 1, "names": ["a", "b", "a"]}]"#,
                ["1:59: claims[0].names[2]: the name a is listed twice"]
            ),
            // Null of JSON is a missing value.
            (#"[{"below": null}]"#, ["1:26: claims[0]: expected exactly one of below, above; found none"]),
        ] as [(String, [String])]
    )
    func allFaultsHaveTheirPlaces(claims: String, expected: [String]) {
        #expect(faults(#"{"name": "n", "claims": \#(claims)}"#) == expected.map { "f:" + $0 })
    }

    @Test func faultsOfTheWholeFileAreInTheOrderOfLines() {
        let found = faults("{\n  \"count\": 1.5,\n  \"nmae\": \"n\",\n  \"seed\": -1\n}")
        #expect(
            found == [
                "f:1:1: name: the key is missing", "f:1:1: claims: the key is missing",
                "f:2:12: count: invalid value 1.5; expected a whole number",
                "f:3:3: nmae: unknown key; did you mean \"name\"?",
                "f:4:11: seed: invalid value -1; expected a whole number from 0 to 18446744073709551615",
            ]
        )
        #expect(faults("[1]") == ["f:1:1: invalid value a list; expected a mapping"])
        #expect(faults("{\n\"name\": 1,\n\"name\": 2}") == ["f:3:1: invalid JSON: duplicate key \"name\""])
        #expect(faults(#"{"name": " ", "claims": []}"#) == ["f:1:10: name: empty text"])
    }

    @Test func otherKeysMayBeIgnored() {
        let json = #"{"name": "n", "count": null, "isOn": null, "claims": [], "other": 1}"#
        #expect(faults(json, ignoresUnknownKeys: true).isEmpty)
        #expect(faults(json) == ["f:1:58: other: unknown key; there are name, count, seed, isOn, claims"])
        #expect(faults(#"{"name": null, "claims": []}"#) == ["f:1:10: name: invalid value null; expected text"])
    }

    @Test func onlyTheFirstFaultsAreListed() {
        let faults = Faults((1...250).map { Fault(file: "f", at: .init(line: $0, column: 1), "bad") })
        #expect(faults.lines.count == 201)
        #expect("\(faults)".hasSuffix("f:200:1: bad\n… and 50 more"))
    }
}
