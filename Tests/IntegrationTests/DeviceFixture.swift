import Foundation

/// Files of phones.
enum DeviceFixture {
    private static let project = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path
    /// Written by a recorder: 2 % of the battery in ten minutes.
    static let log = "\(project)/Tests/DeviceSimulationTests/Fixtures/trace.jsonl"
    static let profile = "\(project)/Devices/iphone-15-pro.json"
}
