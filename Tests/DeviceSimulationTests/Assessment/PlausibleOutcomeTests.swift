import Testing

@testable import DeviceSimulation

@Suite struct PlausibleOutcomeTests {
    typealias Single = PlausibleOutcome.Single
    private static let flips: Single = ("skin resistance", true, false)
    private static let stays: Single = ("camera power", true, true)

    /// Nominal, favourable, adverse, singles, and their outcome.
    static let cases: [(Bool, Bool, Bool, [Single], PlausibleOutcome)] = [
        (true, true, true, [stays], PlausibleOutcome.passesAlways),
        (false, false, false, [("camera power", false, nil)], .failsAlways),
        (true, true, false, [flips, stays], .depends(on: ["skin resistance"])),
        // No figure alone decides it.
        (true, true, false, [stays], .depends(on: [])),
        (false, true, false, [], .depends(on: [])),
        // A figure whose worse side for this requirement is the better one for others.
        (true, true, true, [flips], .depends(on: ["skin resistance"])),
        (true, true, true, [("camera power", nil, nil)], .passesAlways),
    ]

    @Test(arguments: cases)
    func bothEndsAndEveryFigureAloneDecide(
        nominal: Bool,
        favourable: Bool,
        adverse: Bool,
        singles: [Single],
        expected: PlausibleOutcome
    ) {
        let isMet = Plausible(nominal: nominal, favourable: favourable, adverse: adverse)
        #expect(PlausibleOutcome(isMet, singles: singles) == expected)
    }

    @Test func outcomesAreToldInWords() {
        #expect(PlausibleOutcome.passesAlways.text == "passes for every plausible value")
        #expect(PlausibleOutcome.failsAlways.text == "fails for every plausible value")
        #expect(PlausibleOutcome.depends(on: ["a", "b"]).text == "depends on: a, b")
        #expect(PlausibleOutcome.depends(on: []).text == "depends on several figures together")
        #expect(PlausibleOutcome.undecided(reason: "n too small").text == "not decided: n too small")
    }

    @Test(arguments: [
        (AssessedFigure.device(.skinResistance), "skin resistance"),
        (.device(.neuralEngineSpeed), "Neural Engine speed"),
        (.device(.cpuPower), "CPU power"), (.device(.wifiTailPower), "Wi-Fi tail power"),
        (.device(.fairSpeed), "throttle fair"), (.scaling(.neuralEngineCall), "A15 Neural Engine call"),
        (.scaling(.hostImage), "host image"),
    ])
    func figuresHaveNamesForPeople(figure: AssessedFigure, name: String) {
        #expect(figure.name == name)
    }
}
