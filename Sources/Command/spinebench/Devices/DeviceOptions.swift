import ArgumentParser
import DeviceSimulation
import SpineReaders

/// Where devices are looked for: what every command that asks for one takes.
struct DeviceOptions: ParsableArguments {
    @Option(
        name: .customLong("device-folder"),
        help: ArgumentHelp(
            "A folder with profiles of your own; a device there takes the place of its namesake.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var folders: [String] = []

    /// The folder with the project's own profiles; nil when there is none.
    ///
    /// `SPINEBENCH_DEVICES`, or the first `Devices` in a folder above the program or above the working directory.
    static let folder: String? = Installation.folder(
        variable: "SPINEBENCH_DEVICES",
        named: "Devices",
        holding: "iphone-15-pro.json"
    )

    /// All devices: the project's, and those of the folders that were named.
    ///
    /// - Throws: `DeviceError` with everything that is wrong with any profile, or when there are no devices.
    func library() throws(DeviceError) -> DeviceLibrary {
        let all = [Self.folder].compactMap(\.self) + folders
        if all.isEmpty {
            throw .unreadable(
                path: "Devices",
                reason: "there is no such folder here; say where it is in SPINEBENCH_DEVICES, or with --device-folder"
            )
        }
        return try DeviceLibrary(folders: all)
    }
}
