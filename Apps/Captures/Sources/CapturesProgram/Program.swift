import ArgumentParser
import BookCatalogue
import CommandSupport

/// Captures of books, pages, codes and texts: their store, their page, and the measurement of what is read.
@main
struct Program: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "captures",
        abstract: "Take captures with a camera, find them again, and show them as a page.",
        subcommands: [
            CaptureCommand.self, SessionsCommand.self, StudioCommand.self, MeasureCommand.self, HEICDecodeCommand.self,
        ]
    )

    static func main() async {
        await CommandProgram.run(Self.self) { error in
            switch error {
            case StoreError.unusable: .wrongInput
            case is StoreError: .environment
            default: nil
            }
        }
    }
}
