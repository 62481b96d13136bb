import ArgumentParser
import Basics
import Captures
import CommandSupport
import Composition
import Foundation

struct SessionsFiles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract: "Write events and contacts of codes as files that a calendar or an address book imports.",
        discussion: """
            For example:

              spinebench sessions files 1A2B3C4D --to .

            Each event becomes a file of iCalendar (.ics), each contact a vCard (.vcf), with the secrets of its code. Existing \
            files are kept. The exit code is 1 when the session has neither.
            """
    )

    @OptionGroup var named: NamedSession
    @Option(help: .value("folder", "Folder of the files.")) var to = "."

    func run() throws {
        let (store, id) = try named.find()
        var count = 0
        for item in try store.items(of: id) {
            guard let file = try store.codeFile(of: item.id) else { continue }
            let name = "\(item.id.firstLetters)-\(file.name)"
            let path = URL(filePath: to).appending(path: name).path
            do {
                try Data(file.text.utf8).write(to: URL(filePath: path), options: .withoutOverwriting)
            } catch {
                Console.error("cannot write \(path): \(error.systemReason); choose another folder with --to")
                throw ExitStatus.environment.exitCode
            }
            StandardOutput.write("\(path)  \(PlainLine.of(item.title))\n")
            count += 1
        }
        if count == 0 {
            Console.error("the session has no code of an event or a contact")
            throw ExitStatus.missed.exitCode
        }
    }
}
