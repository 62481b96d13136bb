import Basics
import Foundation
import Testing

@testable import Harness

@Suite struct DeviceLibraryTests {
    static let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let folder = project.appending(path: "Devices").path

    @Test func theProjectsDevicesAreThoseOfTheDocumentsWithTheirTiers() throws {
        let devices = try DeviceLibrary(folders: [Self.folder]).all
        let tiers = Dictionary(devices.map { ($0.name, $0.tier) }, uniquingKeysWith: { first, _ in first })
        // S3-16 to S3-18.
        let expected: [String: DeviceProfile.Tier] = [
            "iPhone 11": .low, "iPhone SE 2": .low,
            "iPhone 12": .medium, "iPad 9": .medium, "iPad Air 4": .medium,
            "iPhone 13": .high, "iPhone SE 3": .high, "iPhone 14 Pro": .high, "iPhone 15 Pro": .high,
            "iPhone 16": .high,
            "iPhone 16 Pro": .high, "iPhone 17": .high, "iPhone 17 Pro": .high, "iPad Air 5": .high,
            "iPad Pro M1": .high,
        ]
        #expect(tiers == expected && devices.count == expected.count)
        // Apple Intelligence asks for 8 GB, its second tier for 12.
        for device in devices {
            let asked: Double = device.appleIntelligence == .advanced ? 12 : 8
            #expect((device.appleIntelligence != .none) == (device.memory.value >= 8), "\(device.name)")
            #expect(device.appleIntelligence == .none || device.memory.value >= asked, "\(device.name)")
        }
    }

    @Test func noSpeedIsScaledByTOPS() throws {
        // The A17 Pro is claimed to have 35/15.8 = 2.2 times the TOPS of an A15; measured was 1.25.
        let device = try DeviceLibrary(folders: [Self.folder]).named("iPhone 15 Pro")
        #expect(device.figures[.neuralEngineSpeed]?.value == 1.25)
        #expect(
            device.claims["neuralEngine.TOPS"]?.value == 35 && device.claims["visualIntelligence.TOPS"]?.value == 50
        )
    }

    @Test(arguments: ["iPhone 15 Pro", "iphone-15-pro", "IPHONE 15PRO"])
    func aDeviceIsFoundHoweverItIsWritten(name: String) throws {
        #expect(try DeviceLibrary(folders: [Self.folder]).named(name).name == "iPhone 15 Pro")
    }

    @Test func aSlipIsTold() throws {
        let devices = try DeviceLibrary(folders: [Self.folder])
        let error = try #require(throws: HarnessError.self) { try devices.named("iPhnoe 15 Pro") }
        #expect("\(error)" == "unknown device \"iPhnoe 15 Pro\"; did you mean \"iPhone 15 Pro\"?")
    }

    /// Runs `body` with a folder of profiles, which is removed afterwards.
    private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        try body(folder.path)
    }

    @Test func aUsersDeviceTakesThePlaceOfItsNamesake() throws {
        let mine = ProfileFileTests.text.replacing("\"A17 Pro\"", with: "\"mine\"")
        try withFolder(["a.json": mine, "notes.txt": "not read"]) { folder in
            let devices = try DeviceLibrary(folders: [Self.folder, folder])
            #expect(devices.all.count == 15)
            #expect(try devices.named("iPhone 15 Pro").chip == "mine")
        }
    }

    @Test func aNameIsOnceInAFolderAndAllFilesAreChecked() throws {
        let text = ProfileFileTests.text
        try withFolder(["a.json": text, "b.json": text, "c.json": "[]"]) { folder in
            let error = try #require(throws: Faults.self) { try DeviceLibrary(folders: [folder]) }
            #expect(
                "\(error)" == """
                    \(folder)/b.json: name: "iPhone 15 Pro" is also in \(folder)/a.json; expected one profile per device in a folder
                    \(folder)/c.json:1:1: invalid value a list; expected a mapping
                    """
            )
        }
    }

    @Test func aFolderThatIsNotThereIsTold() {
        #expect(throws: Faults([Fault(file: "/none", message: "the folder cannot be read")])) {
            try DeviceLibrary(folders: ["/none"])
        }
    }
}
