import ArgumentParser
import CommandSupport
import DeviceSimulation
import Documents
import Foundation

/// `spinebench devices check`.
struct DevicesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks profiles, and lists everything that is wrong with them.",
        discussion: "Exit codes: 0 all are right, 2 one is not."
    )

    @Argument(help: "The profiles.", completion: .file(extensions: ["json"]))
    var files: [String]

    func run() throws {
        var isRight = true
        for file in files {
            do {
                let device = try DeviceLibrary.profile(file: file)
                print("\(file): \(device.name), \(NumberText.count(device.figures.count, "figure"))")
            } catch {
                isRight = false
                Console.standardError("\(error)")
            }
        }
        if !isRight { throw ExitStatus.wrongInput.exitCode }
    }
}
