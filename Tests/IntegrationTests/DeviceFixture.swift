import Foundation

/// Files of phones.
enum DeviceFixture {
    private static let project = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path
    static let profile = "\(project)/Devices/iphone-15-pro.json"
}
