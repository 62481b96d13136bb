import DeviceSimulation
import Harness

/// The device profiles at hand: those that come with the program, and those of further folders.
struct DeviceProfiles {
    let library: DeviceLibrary

    /// - Parameter folders: further ones; a device in them takes the place of its namesake.
    /// - Throws: `DeviceError` with all faults of all profiles.
    init(_ folders: [String]) throws {
        library = try DeviceLibrary(folders: [DeviceOptions.folder].compactMap(\.self) + folders)
    }

    /// The devices that a command line asks for.
    ///
    /// - Parameter names: of devices; `all` for every one, `none` for none, nothing for those of the project documents.
    /// - Returns: in the order in which they were asked for.
    /// - Throws: `DeviceError` for a name that there is no profile of.
    func named(_ names: [String]?) throws -> [DeviceProfile] {
        switch names {
        case nil: try DeviceAssessment.seedMatrix.map { try library.named($0.device) }
        case ["all"]: library.all
        case ["none"]: []
        case let names?:
            try names.reduce(into: [DeviceProfile]()) { found, name in
                let profile = try library.named(name)
                if !found.contains(profile) { found.append(profile) }
            }
        }
    }

    /// The profiles of a run.
    ///
    /// - Parameter selection: of the run.
    /// - Returns: in its order.
    /// - Throws: when one is gone, or is not what it was when the run began.
    func profiles(_ selection: DeviceSelection) throws -> [DeviceProfile] {
        try selection.profiles.map { reference in
            let profile = try library.named(reference.name)
            guard try DeviceSelection.Reference(profile) == reference else {
                throw HarnessError.configuration(
                    "the profile of \(reference.name) is not what it was when the run began; start a new run, or go on with "
                        + "the folder that it came from (--device-folder)"
                )
            }
            return profile
        }
    }
}
