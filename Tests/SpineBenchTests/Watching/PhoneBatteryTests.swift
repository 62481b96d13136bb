import Composition
import DeviceSimulation
import Harness
import ScanningPolicies
import Testing

@testable import spinebench_tools

@Suite struct PhoneBatteryTests {
    /// 10 Wh; 0.5 W of the system, 1 W of the display, 1.5 W of the camera, 2 W of a core of the CPU while it works.
    private var values: DeviceValues {
        var numbers = Dictionary(uniqueKeysWithValues: DeviceFigure.allCases.map { ($0, 1.0) })
        numbers[.batteryCapacity] = 10
        numbers[.basePower] = 0.5
        numbers[.cameraPower] = 1.5
        numbers[.cpuPower] = 2
        return DeviceValues(numbers)
    }

    /// The CPU works 15 s of a minute with 250 ms a reading.
    ///
    /// From a second on it works all the time. Of 36 kJ, 180 J and 2 W of that time; by the seed's formula 0.03 % for
    /// 100 ms.
    @Test(
        arguments: [
            (0, 1, 0.5, 0, 0), (250, 1, 0.583333333333, 0.083333333333, 4.5),
            (1_000, 1, 0.833333333333, 0.333333333333, 18), (9_000, 1, 0.833333333333, 0.333333333333, 18),
            (500, 2, 0.833333333333, 0.333333333333, 18), (500, 0.1, 0.516666666667, 0.016666666667, 0.9),
        ] as [(Double, Double, Double, Double, Double)]
    )
    func aMinuteIsOfWhatWorks(milliseconds: Double, cores: Double, whole: Double, reader: Double, seed: Double) {
        let battery = PhoneBattery.perMinute(milliseconds: milliseconds, cores: cores, on: ("a phone", values))
        #expect(abs(battery.energyPercentPerMinute - whole) < 1e-9)
        #expect(abs(battery.readerPercentPerMinute - reader) < 1e-9)
        #expect(abs(battery.seedPercentPerMinute - seed) < 1e-9)
    }

    /// S3-23 and S3-24: the watched value can reach 12 and 15 % on every phone that may be named, with two busy
    /// cores.
    @Test(arguments: ["iPhone 11", "iPhone 12", "iPhone 13", "iPhone 15 Pro", "iPhone 17 Pro", "iPhone SE 2"])
    func batteryAlertsCanBeRaised(_ name: String) throws {
        let device = try #require(try PhoneBattery.device(name))
        let busy = PhoneBattery.perMinute(milliseconds: 1_000, cores: 2, on: device)
        #expect(busy.readerPercentPerMinute * 30 > AlertRules().batteryCritical)
        let idle = PhoneBattery.perMinute(milliseconds: 20, cores: 1, on: device)
        #expect(idle.readerPercentPerMinute * 30 < AlertRules().batteryWarning)
        // 'scan --frames' watches the time that the reader works, on one core.
        let live = try #require(PhoneBattery.readerPercentPer30Minutes(duty: 1, on: device))
        #expect(live > AlertRules().batteryWarning)
        #expect(PhoneBattery.readerPercentPer30Minutes(duty: 1, on: nil) == nil)
    }

    @Test func aDeviceThatIsNotThereIsRefused() throws {
        #expect(throws: HarnessError.self) { try PhoneBattery.device("iPhone 3000") }
        #expect(try PhoneBattery.device("iphone 12")?.name == "iPhone 12")
        #expect(try PhoneBattery.device(nil)?.name == PhoneBattery.standard)
    }
}
