import DeviceSimulation
import Harness
import Testing

@testable import spinebench

@Suite struct PhoneBatteryTests {
    /// 10 Wh; 0.5 W of the system, 1 W of the display, 1.5 W of the camera, 2 W of the Neural Engine while it works.
    private var values: DeviceValues {
        var numbers = Dictionary(uniqueKeysWithValues: DeviceFigure.allCases.map { ($0, 1.0) })
        numbers[.batteryCapacity] = 10
        numbers[.basePower] = 0.5
        numbers[.cameraPower] = 1.5
        numbers[.neuralEnginePower] = 2
        return DeviceValues(numbers)
    }

    /// With 250 ms a reading the Neural Engine works 15 s of a minute.
    ///
    /// From a second on it works all the time. Of 36 kJ, 180 J and 2 W of that time; by the seed's formula 0.01 % for 100 ms.
    @Test(
        arguments: [
            (0, 0.5, 0, 0), (250, 0.583333333333, 0.083333333333, 1.5), (1_000, 0.833333333333, 0.333333333333, 6),
            (9_000, 0.833333333333, 0.333333333333, 6),
        ] as [(Double, Double, Double, Double)]
    )
    func aMinuteIsOfWhatWorks(milliseconds: Double, whole: Double, reader: Double, seed: Double) {
        let battery = PhoneBattery.perMinute(milliseconds: milliseconds, on: ("a phone", values))
        #expect(abs(battery.energyPercentPerMinute - whole) < 1e-9)
        #expect(abs(battery.readerPercentPerMinute - reader) < 1e-9)
        #expect(abs(battery.seedPercentPerMinute - seed) < 1e-9)
    }

    @Test func aDeviceThatIsNotThereIsRefused() throws {
        #expect(throws: HarnessError.self) { try PhoneBattery.device("iPhone 3000") }
        #expect(try PhoneBattery.device("iphone 12")?.name == "iPhone 12")
        #expect(try PhoneBattery.device(nil)?.name == PhoneBattery.standard)
    }
}
