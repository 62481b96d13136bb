package import ArgumentParser
package import Basics
import CommandSupport
package import Harness

package struct DeviceOptions: ParsableArguments {
    @Option(
        name: .customLong("device-folder"),
        help: .value("folder", "Folder of your own device profiles; they override built-in ones."),
        completion: .directory
    )
    package var folders: [String] = []

    package init() {}

    /// Folder with the project's profiles: `SPINEBENCH_DEVICES`, or `Devices` above the program or working directory.
    package static let folder: String? = ProjectFolder.find(
        variable: "SPINEBENCH_DEVICES",
        named: "Devices",
        holding: "iphone-15-pro.json"
    )

    /// Returns the project's devices, and those of further folders.
    package static func library(_ folders: [String] = []) throws(Faults) -> DeviceLibrary {
        let all = [folder].compactMap(\.self) + folders
        if all.isEmpty {
            let problem = "folder not found; set SPINEBENCH_DEVICES, or give --device-folder"
            throw Faults([Fault(file: "Devices", message: problem)])
        }
        return try DeviceLibrary(folders: all)
    }

    /// Returns the project's devices, and those of the folders that were named.
    package func library() throws(Faults) -> DeviceLibrary { try Self.library(folders) }

    /// Returns the devices of a command line: `all`, `none`, or names; nil is those of the project documents.
    package func named(_ names: [String]?) throws -> [DeviceProfile] {
        if names == ["none"] { return [] }
        let library = try library()
        if names == ["all"] { return library.all }
        return try (names ?? DeviceAssessment.seedMatrix.map(\.device)).reduce(into: []) { found, name in
            let profile = try library.named(name)
            if !found.contains(profile) { found.append(profile) }
        }
    }

    /// Returns the profiles of a run, in its order; throws when one is missing, or has changed since the run began.
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
