package import Harness

/// The phone whose battery is modelled from measurements on this machine.
package enum PhoneBattery {
    package static let standard = "iPhone 13"

    /// Returns a device's name and nominal figures; nil without profiles, unless a device is named.
    package static func device(_ name: String?) throws -> (name: String, values: DeviceValues)? {
        guard let folder = DeviceOptions.folder else {
            guard let name else { return nil }
            throw HarnessError.configuration(
                "device \(name) not found: no device profiles here; set SPINEBENCH_DEVICES to their folder"
            )
        }
        let profile = try DeviceLibrary(folders: [folder]).named(name ?? standard)
        return (profile.name, profile.values())
    }

    /// Returns the battery use of half an hour, in percent, of a reader that works a share of it; nil without a phone.
    package static func readerPercentPer30Minutes(
        duty: Double,
        on device: (name: String, values: DeviceValues)?
    ) -> Double? {
        device.map { reader(busySeconds: 1_800 * duty, $0.values).percent(of: $0.values) }
    }

    package static func reader(busySeconds: Double, _ values: DeviceValues) -> EnergyUse {
        var reader = EnergyUse()
        reader.add(busySeconds * values[.cpuPower], of: .cpu)
        return reader
    }
}
