import DeviceSimulation
import Foundation

/// The devices that a simulation is of: names of the library, or profiles of one's own.
struct SimulationDevices {
    /// With their figures.
    var devices: [(profile: DeviceProfile, values: DeviceValues)]

    /// - Parameters:
    ///   - names: of devices, or paths of profiles; commas divide them, too.
    ///   - folders: with profiles, beside those that come with the program.
    ///   - bound: where their figures lie.
    /// - Throws: `DeviceError` with the name that was probably meant.
    init(_ names: [String], folders: [String], at bound: Bound) throws {
        let names = names.flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }
        let isNamed = names.contains { !Self.isPath($0) }
        let library = isNamed ? try DeviceProfiles(folders).library : nil
        devices = try names.compactMap { name in
            let profile = try Self.isPath(name) ? DeviceLibrary.profile(file: name) : library?.named(name)
            return profile.map { profile in
                (profile, profile.values(at: bound))
            }
        }
    }

    private static func isPath(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".json") }
}
