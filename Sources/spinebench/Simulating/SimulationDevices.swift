import DeviceSimulation
import Foundation
import SpineReaders

/// The devices that a simulation is of: names of the library, or profiles of one's own.
struct SimulationDevices {
    /// With the figures of one side.
    var devices: [(name: String, values: DeviceValues)]

    /// - Parameters:
    ///   - names: of devices, or paths of profiles; commas divide them, too.
    ///   - folders: with profiles, beside those that come with the program.
    ///   - side: "nominal", or all figures "favourable" or "adverse".
    /// - Throws: `DeviceError` with the name that was probably meant.
    init(_ names: [String], folders: [String], side: SimulateCommand.Side) throws {
        let names = names.flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }
        let standard = Installation.folder(variable: "SPINEBENCH_DEVICES", named: "Devices", holding: "iphone-13.json")
        let isNamed = names.contains { !Self.isPath($0) }
        let library = isNamed ? try DeviceLibrary(folders: [standard].compactMap(\.self) + folders) : nil
        devices = try names.compactMap { name in
            let profile = try Self.isPath(name) ? DeviceLibrary.profile(file: name) : library?.named(name)
            return profile.map { profile in
                switch side {
                case .nominal: (profile.name, profile.values())
                case .favourable: (profile.name, profile.values(adverse: false))
                case .adverse: (profile.name, profile.values(adverse: true))
                }
            }
        }
    }

    private static func isPath(_ name: String) -> Bool { name.contains("/") || name.hasSuffix(".json") }
}
