import DeviceSimulation
import Harness

/// The phone whose battery is modelled beside what this machine measures.
enum PhoneBattery {
    /// The one that is taken unless another is named.
    static let standard = "iPhone 13"

    /// A device's name and nominal figures.
    ///
    /// - Parameter name: of the device; nil for the standard one, where its profile is at hand.
    /// - Returns: nil without profiles, unless a device was named.
    /// - Throws: `HarnessError.configuration` when the device that was named is not there, or profiles are damaged.
    static func device(_ name: String?) throws -> (name: String, values: DeviceValues)? {
        guard let folder = DeviceOptions.folder else {
            guard let name else { return nil }
            throw HarnessError.configuration(
                "there are no device profiles here, so that \(name) is not known; SPINEBENCH_DEVICES may say where they are"
            )
        }
        do {
            let profile = try DeviceLibrary(folders: [folder]).named(name ?? standard)
            return (profile.name, profile.values())
        } catch {
            throw HarnessError.configuration("\(error)")
        }
    }

    /// Percent of the battery that half an hour takes of a reader that works for a share of the time, as the CPU that it runs
    /// on here does; nil without a phone.
    static func readerPercentPer30Minutes(duty: Double, on device: (name: String, values: DeviceValues)?) -> Double? {
        device.map { reader(busySeconds: 1_800 * duty, $0.values).percent(of: $0.values) }
    }

    private static func reader(busySeconds: Double, _ values: DeviceValues) -> EnergyUse {
        var reader = EnergyUse()
        reader.add(busySeconds * values[.cpuPower], of: .cpu)
        return reader
    }

    /// What a minute of scanning takes with one reading a second, the device cool and at full speed.
    ///
    /// `milliseconds`: Of a reading, as it was here.
    /// `cores`: Of the CPU that worked meanwhile, as here; no other unit is assumed to take as long.
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
