import Foundation
import TestSupport
import Testing

/// Archives in POSIX's ustar form, with what a test puts into their headers.
enum TarArchive {
    /// Returns a header with some bytes put in and its checksum right, and the contents.
    static func member(
        _ name: String,
        kind: Character = "0",
        _ contents: [UInt8] = [],
        put changes: [Int: [UInt8]] = [:]
    ) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, _ offset: Int) {
            header.replaceSubrange(offset..<(offset + text.utf8.count), with: Array(text.utf8))
        }
        func octal(_ value: Int, _ digits: Int) -> String {
            let text = String(value, radix: 8)
            return String(repeating: "0", count: digits - text.count) + text
        }
        put(name, 0)
        put(octal(0o644, 7), 100)
        put(octal(contents.count, 11), 124)
        put(octal(0, 11), 136)
        put("\(kind)", 156)
        put("ustar\u{0}00", 257)
        for (offset, bytes) in changes { header.replaceSubrange(offset..<(offset + bytes.count), with: bytes) }
        put(String(repeating: " ", count: 8), 148)
        put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\u{0} ", 148)
        return header + contents + [UInt8](repeating: 0, count: (512 - contents.count % 512) % 512)
    }

    static func of(_ members: [(String, [UInt8])]) -> [UInt8] {
        members.flatMap { member($0.0, $0.1) } + [UInt8](repeating: 0, count: 1_024)
    }
}

/// Calls of `scripts/pack.py`, with what it prints on standard output and on standard error.
func pack(_ arguments: String...) throws -> (code: Int32, text: String) {
    let script = URL(filePath: #filePath).appending(path: "../../../../scripts/pack.py").standardizedFileURL
    return try output(of: script, arguments)
}

/// Runs Python, and returns what it prints, without a line's end.
func python(_ arguments: String...) throws -> String {
    try output(of: URL(filePath: "/usr/bin/env"), ["python3"] + arguments).text.trimmingCharacters(in: .newlines)
}

private func output(of program: URL, _ arguments: [String]) throws -> (code: Int32, text: String) {
    let (process, output) = (Process(), Pipe())
    process.executableURL = program
    (process.arguments, process.standardOutput, process.standardError) = (arguments, output, output)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}
