import TestSupport
import Testing

@testable import Harness

@Suite(.tags(.unit)) struct ScenarioTests {
    @Test(arguments: [
        ("single", Scenario(kind: .single)),
        ("server:rate=5,seconds=60", Scenario(kind: .server, ratePerSecond: 5, seconds: 60)),
        ("server: rate = 0.5 , lanes=2", Scenario(kind: .server, ratePerSecond: 0.5, lanes: 2)),
        ("offline:lanes=2,readings=100", Scenario(kind: .offline, readings: 100, lanes: 2)),
        ("paced:rate=2,readings=5", Scenario(kind: .paced, ratePerSecond: 2, readings: 5)),
        ("soak:seconds=10", Scenario(kind: .soak, seconds: 10)),
        ("soak", Scenario(kind: .soak, seconds: 300)),
        ("cold:readings=3", Scenario(kind: .cold, readings: 3)),
        ("live:rate=60,readings=5", Scenario(kind: .live, ratePerSecond: 60, readings: 5)),
        ("cold:", Scenario(kind: .cold)),
    ])
    func aTextSaysAKindAndItsSettings(text: String, scenario: Scenario) throws {
        #expect(try Scenario.parse(text) == scenario)
    }

    @Test(arguments: [
        ("burst", "kind: invalid value \"burst\"; expected single, server, paced, offline, soak, cold, live"),
        ("", "kind: invalid value \"\"; expected single, server, paced, offline, soak, cold, live"),
        ("server", "the key \"rate\" is missing"),
        ("server:rate", "invalid setting \"rate\": expected name=value"),
        ("server:rate=fast", "rate: invalid value \"fast\"; expected a number"),
        ("server:rate=-1", "rate: invalid value \"-1\"; expected a number above 0, at most 10000"),
        ("paced:rate=1e300", "rate: invalid value \"1e300\"; expected a number above 0, at most 10000"),
        ("server:rate=1,rate=2", "duplicate setting \"rate\""),
        ("server:rate=1,speed=2", "speed: unknown key; there are kind, rate, seconds, readings, lanes"),
        ("single:seconds=3", "seconds: does not apply to the scenario single, only to server, paced, offline, soak"),
        ("live:rate=0", "rate: invalid value \"0\"; expected a number above 0, at most 10000"),
        ("live:rate=29.97", "rate: invalid value \"29.97\"; expected a whole number of frames per second, 1 to 1000"),
        ("offline:lanes=1.5", "lanes: invalid value \"1.5\"; expected a whole number"),
    ])
    func whatIsWrongIsSaid(text: String, message: String) {
        #expect(throws: HarnessError.configuration("scenario \"\(text)\": \(message)")) { try Scenario.parse(text) }
    }

    /// Computed by hand: two a second, the first after half a second; one every two seconds unless specified.
    @Test func aPaceIsSteady() throws {
        let arrivals = try #require(Scenario(kind: .paced, ratePerSecond: 2).arrivals(seed: 7))
        #expect(Array(arrivals.prefix(4)) == [0.5, 1, 1.5, 2])
        #expect(Scenario(kind: .paced).arrivals(seed: 1).map { Array($0.prefix(2)) } == [2, 4])
        #expect(Scenario(kind: .paced).leastReadings(single: 1_000) == 90 && Scenario(kind: .paced).leastSeconds == 0)
    }

    @Test func whatIsNotSaidIsUsual() {
        #expect(Scenario(kind: .server, ratePerSecond: 1).leastSeconds == 60)
        #expect(Scenario(kind: .server, ratePerSecond: 1, readings: 5).leastSeconds == 0)
        #expect(Scenario(kind: .soak).leastSeconds == 300)
        #expect(Scenario(kind: .cold).leastReadings(single: 1_000) == 10)
        #expect(Scenario(kind: .live).leastReadings(single: 1_000) == 20 && Scenario(kind: .live).framesPerSecond == 30)
        #expect(Scenario(kind: .offline).leastReadings(single: 1_000) == 1_000)
        #expect(Scenario(kind: .offline).laneCount == 1)
    }
}
