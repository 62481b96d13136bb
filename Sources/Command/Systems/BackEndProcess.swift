import Basics
import Foundation
import Harness

/// A back end in a process of its own, on a free loopback port, that does not outlive this program.
///
/// A shell holds the other end of a pipe: when this program is gone, however it went, the pipe ends and the shell
/// ends the back end. It is in a process group of its own, so that Ctrl-C in a terminal reaches this program alone,
/// which lets the scan in flight have its answer first.
///
/// Unchecked: nothing changes after the start, and `Process` and `Pipe` may be asked from any thread.
final class BackEndProcess: @unchecked Sendable {
    /// Address of the server, such as `http://127.0.0.1:41234`.
    let address: String
    private let process: Process
    private let input: Pipe

    /// Path of the program, beside this one; nil if it is missing.
    static let program: String? = {
        let own = URL(filePath: Process.ownProgram)
        // Products are named after themselves; built as a mere dependency, the program has its target's name.
        let paths = ["talaria", "TalariaCommand"].map { own.deletingLastPathComponent().appending(path: $0).path }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Starts the program for a variant and waits until it answers; `folder` takes its log, and its files while it
    /// runs.
    init(
        of variant: String,
        _ arguments: [String],
        folder: String,
        name: String,
        timeoutSeconds: Double = 120,
        isStopped: () -> Bool = { false }
    ) throws {
        guard let program = Self.program else {
            throw HarnessError.unavailable(variant: variant, reason: "talaria not found beside this program")
        }
        let log = "\(folder)/\(name).log"
        let scratch = "\(folder)/\(name).scratch"
        let manager = FileManager.default
        try? manager.removeItem(atPath: scratch)
        try manager.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        guard manager.createFile(atPath: log, contents: nil), let output = FileHandle(forWritingAtPath: log) else {
            throw HarnessError.storage(path: log, problem: "cannot be written")
        }
        let portFile = "\(scratch)/address"
        let arguments =
            ["-c", Self.script, "talaria", scratch, program] + arguments
            + ["--port", "0", "--port-file", portFile, "--data", "\(scratch)/data"]
        input = Pipe()
        do {
            process = try Process.start("/bin/bash", arguments, input: input, output: output, errors: output)
        } catch {
            throw HarnessError.unavailable(variant: name, reason: "/bin/bash cannot be started: \(error.systemReason)")
        }
        let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
        while true {
            let line = (try? String(contentsOfFile: portFile, encoding: .utf8)) ?? ""
            if line.hasSuffix("\n") {
                address = line.trimmingCharacters(in: .whitespacesAndNewlines)
                return
            }
            if isStopped() || !process.isRunning || ContinuousClock.now > deadline {
                let what = process.isRunning ? "does not answer" : "ended before its first answer"
                try? input.fileHandleForWriting.close()
                process.waitUntilExit()
                let words = (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n").suffix(3) ?? []
                throw HarnessError.unavailable(
                    variant: name,
                    reason: "the back end \(what); its last output: \(words.joined(separator: " / ")) (in \(log))"
                )
            }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Script with the arguments: the folder that is deleted with it, then the program with its own.
    private static let script = #"""
        set -m
        scratch=$1
        shift
        "$@" </dev/null &
        server=$!
        {
            read -r _ <&3
            kill -TERM $server
            for _ in $(seq 100); do kill -0 $server || break; sleep 0.1; done
            kill -KILL -- -$server
        } 3<&0 >/dev/null 2>&1 &
        watcher=$!
        # Do not report the watcher's exit in the log.
        disown $watcher
        wait $server
        status=$?
        kill -KILL -- -$watcher 2>/dev/null
        rm -rf "$scratch"
        exit $status
        """#
}
