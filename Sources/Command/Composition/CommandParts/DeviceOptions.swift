package import ArgumentParser
package import DeviceSimulation
package import Harness
import SpineReaders

/// Where devices are looked for: what every command that asks for one takes.
package struct DeviceOptions: ParsableArguments {
    @Option(
        name: .customLong("device-folder"),
        help: .value("folder", "Folder of your own device profiles; they override built-in profiles of the same name."),
        completion: .directory
    )
    package var folders: [String] = []

    package init() {}

    /// The folder with the project's own profiles; nil when there is none.
    ///
    /// `SPINEBENCH_DEVICES`, or the first `Devices` in a folder above the program or above the working directory.
    package static let folder: String? = Installation.folder(
        variable: "SPINEBENCH_DEVICES",
        named: "Devices",
        holding: "iphone-15-pro.json"
    )

    /// All devices: the project's, and those of further folders.
    ///
    /// - Throws: `DeviceError` with everything that is wrong with any profile, or when there are no devices.
    package static func library(_ folders: [String] = []) throws(DeviceError) -> DeviceLibrary {
        let all = [folder].compactMap(\.self) + folders
        if all.isEmpty {
            throw .unreadable(
                path: "Devices",
                reason: "folder not found; set SPINEBENCH_DEVICES, or give --device-folder"
            )
        }
        return try DeviceLibrary(folders: all)
    }

    /// All devices: the project's, and those of the folders that were named.
    package func library() throws(DeviceError) -> DeviceLibrary { try Self.library(folders) }

    /// The devices that a command line asks for, in its order: `all` for every one, `none` for none, nil for those of the
    /// project documents.
    ///
    /// - Throws: `DeviceError` for a name that there is no profile of.
    package func named(_ names: [String]?) throws -> [DeviceProfile] {
        if names == ["none"] { return [] }
        let library = try library()
        if names == ["all"] { return library.all }
        return try (names ?? DeviceAssessment.seedMatrix.map(\.device)).reduce(into: []) { found, name in
            let profile = try library.named(name)
            if !found.contains(profile) { found.append(profile) }
        }
    }

    /// The profiles of a run, in its order.
    ///
    /// - Throws: when one is gone, or is not what it was when the run began.
    package func profiles(_ selection: DeviceSelection) throws -> [DeviceProfile] {
        let library = try library()
        return try selection.profiles.map { reference in
            let profile = try library.named(reference.name)
            guard try DeviceSelection.Reference(profile) == reference else {
                throw HarnessError.configuration(
                    "the profile of \(reference.name) has changed since the run began; start a new run, or resume with "
                        + "its original folder (--device-folder)"
                )
            }
            return profile
        }
    }
}
