import Foundation
import ScanningPolicies
import Testing

@testable import Harness

/// Profiles compared with published figures of such devices.
@Suite struct PublishedCurveTests {
    static let devices: DeviceLibrary = {
        let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        do {
            return try DeviceLibrary(folders: [project.appending(path: "Devices").path])
        } catch {
            fatalError("the profiles of the project are wrong:\n\(error)")
        }
    }()

    /// Returns a benchmark that keeps the GPU busy: its speed in each second, beside the speed at the start.
    ///
    /// It begins on a device in use: base and display have warmed it up.
    static func loop(_ values: DeviceValues, minutes: Int) -> (speeds: [Double], skin: Double) {
        let (network, states) = (ThermalNetwork(values, ambient: 25), ThermalStates(values))
        let idle = values[.basePower] + values[.displayPower]
        var temperatures = network.steadyState(.init(chip: 0, skin: idle))
        var state = ThermalState.nominal
        let speeds = (0..<(minutes * 60)).map { _ in
            state = states.next(after: state, skin: temperatures.skin)
            let power = ThermalNetwork.Power(chip: values[.gpuPower] * states.power(state), skin: idle)
            temperatures = network.advance(temperatures, under: power, seconds: 1).state
            return states.speed(state)
        }
        return (speeds, temperatures.skin)
    }

    /// Returns the mean of the last minute.
    static func end(_ values: DeviceValues, minutes: Int) -> Double {
        loop(values, minutes: minutes).speeds.suffix(60).reduce(0, +) / 60
    }

    /// Final values of published curves: 60 % (notebookcheck, 15 Pro Max) to 79 % (nanoreview, A15).
    static let sustained = 0.6...0.79

    @Test(arguments: ["iPhone 14 Pro", "iPhone 15 Pro"], [20, 30])
    func sustainedSpeedIsWithinThePublishedOnes(name: String, minutes: Int) throws {
        let end = Self.end(try Self.devices.named(name).values(), minutes: minutes)
        #expect(Self.sustained.contains(end), "\(name) holds \(end)")
    }

    @Test func the15ProLosesWhatNotebookcheckFound() throws {
        // 3DMark Wild Life Unlimited on a 15 Pro Max, one minute a run: -36.6 % by the 4th run, -40 % at the end.
        let speeds = Self.loop(try Self.devices.named("iPhone 15 Pro").values(), minutes: 20).speeds
        let runs = stride(from: 0, to: speeds.count, by: 60).map { speeds[$0..<($0 + 60)].reduce(0, +) / 60 }
        #expect(runs[0] == 1)
        #expect(abs(runs[3] - (1 - 0.366)) < 0.02)
        #expect(abs(runs[19] - (1 - 0.40)) < 0.02)
    }

    @Test func the14ProLosesWhatNotebookcheckFound() throws {
        // 14 Pro Max, likewise: -31.3 %.
        let end = Self.end(try Self.devices.named("iPhone 14 Pro").values(), minutes: 20)
        #expect(abs(end - (1 - 0.313)) < 0.02)
    }

    @Test func aGameMakesThe15ProAsWarmAsGeekerwanFound() throws {
        // 15 Pro Max, Genshin Impact: 4.13 W on average make 48 °C at 25 °C; the table's 5.6 K/W is that quotient.
        let values = try Self.devices.named("iPhone 15 Pro").values()
        let network = ThermalNetwork(values, ambient: 25)
        let power = ThermalNetwork.Power(chip: 3.13, skin: 1)
        #expect(abs(network.steadyState(power).skin - 48) < 0.5)
        let halfAnHour = network.advance(.init(chip: 25, skin: 25), under: power, seconds: 1800).state
        #expect(abs(halfAnHour.skin - 48) < 1.5)
    }

    /// Figures whose low or high takes the 15 Pro out of the published bounds, and the exceeded bound.
    @Test(
        arguments: [
            ("iPhone 15 Pro", ["throttle.serious low: below 0.6"]),
            // 6.75 W keep it above its critical temperature.
            ("iPhone 14 Pro", ["gpu.power high: below 0.6"]),
        ] as [(String, [String])]
    )
    func fewFiguresTakeThemOutOfTheBounds(name: String, expected: [String]) throws {
        let profile = try Self.devices.named(name)
        var found: [String] = []
        for figure in DeviceFigure.ofProfiles {
            guard let estimate = profile.figures[figure] else { continue }
            for (side, value) in [("low", estimate.low), ("high", estimate.high)] {
                var values = profile.values()
                values[figure] = value
                let end = Self.end(values, minutes: 30)
                if end < Self.sustained.lowerBound - 1e-9 { found.append("\(figure.rawValue) \(side): below 0.6") }
                if end > Self.sustained.upperBound + 1e-9 { found.append("\(figure.rawValue) \(side): above 0.79") }
            }
        }
        #expect(found == expected)
    }

    /// Plausible phones hold less than the slower published loop, and nearly as much as the faster one, which is of another chip.
    @Test(arguments: ["iPhone 14 Pro", "iPhone 15 Pro"])
    func thePublishedBoundsArePlausible(name: String) throws {
        let draws = Draws(try Self.devices.named(name).figures, relevant: [], seed: 1)
        let ends = draws.settings.map { Self.end($0, minutes: 30) }.sorted()
        #expect(
            ends[0] < Self.sustained.lowerBound && ends[399] > Self.sustained.upperBound - 0.05,
            "\(ends[0]) to \(ends[399])"
        )
    }
}
