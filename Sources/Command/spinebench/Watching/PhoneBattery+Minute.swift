import Composition
import DeviceSimulation
import Harness

extension PhoneBattery {
    /// Returns the battery use of a minute of scanning with one reading a second, the device cool and at full speed.
    ///
    /// `milliseconds`: Of a reading, as measured here. `cores`: Of the CPU that worked meanwhile, as here; no other
    /// unit is assumed to take as long.
    static func perMinute(
        milliseconds: Double,
        cores: Double,
        on device: (name: String, values: DeviceValues)
    ) -> WatchSnapshot.Battery {
        let busySeconds = 60 * min(1, milliseconds / 1_000) * cores
        let reader = reader(busySeconds: busySeconds, device.values)
        var energy = reader
        energy.base = 60 * device.values[.basePower]
        energy.display = 60 * device.values[.displayPower]
        energy.camera = 60 * device.values[.cameraPower]
        return WatchSnapshot.Battery(
            device: device.name,
            energyPercentPerMinute: energy.percent(of: device.values),
            readerPercentPerMinute: reader.percent(of: device.values),
            seedPercentPerMinute: SeedBattery.percent(busySeconds: busySeconds, on: .cpu)
        )
    }
}
