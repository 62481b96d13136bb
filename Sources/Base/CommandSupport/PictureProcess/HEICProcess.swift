import Basics
public import Foundation
package import Imaging
import Synchronization

/// Reads HEIC pictures in a process of its own each, with limits: a damaged one that ends it costs that picture alone.
///
/// libde265 decodes in threads of its own, and an exception in one of them ends its process, whatever the caller
/// does. libheif follows a picture that is made of itself until the stack is used up.
public struct HEICProcess: Sendable {
    /// Reads every HEIC of this process in a process of its own, by the same program's ``HEICDecodeCommand``.
    public static func install() { ImageCodec.readHEIC(with: HEICProcess().read) }

    /// CPU time of all threads together, in seconds: more than ten times that of a picture of 100 MP.
    private static let processorTime = 120
    /// Memory, in bytes, for the program itself, the file, the threads' stacks and the libraries.
    private static let memory = 2 << 30
    /// Bytes per pixel: libheif's for `DecodingOptions.maximumPixels`, and the written copies.
    private static let memoryPerPixel = 17 + 3 * 3

    private let program: String
    private let arguments: [String]
    private let timeout: Duration

    /// - Parameters:
    ///   - program: that decodes; the one that runs now unless another is named.
    ///   - arguments: before those of ``HEICDecodeCommand``.
    ///   - timeout: after which it is killed. A phone's picture of 12 MP takes under a second.
    package init(
        program: String = Process.ownProgram,
        arguments: [String] = [HEICDecodeCommand.name],
        timeout: Duration = .seconds(60)
    ) {
        (self.program, self.arguments, self.timeout) = (program, arguments, timeout)
    }

    /// Reads a file; blocks its thread until then.
    ///
    /// - Throws: the codec's error about the file; `corrupt` when the process ends without an answer or takes too
    ///   long; `notStarted` when it cannot be started.
    package func read(
        _ bytes: [UInt8],
        _ options: DecodingOptions,
        isHeaderOnly: Bool
    ) throws(ImageFault) -> HEICPicture {
        let output = Pipe()
        let process: Process
        do {
            let input = try FileHandle.unnamed()
            try input.write(contentsOf: Data(bytes))
            try input.seek(toOffset: 0)
            // A gigapixel and more are limited alike: no machine has memory for them.
            let memory = Self.memory + min(options.maximumPixels, 1 << 30) * Self.memoryPerPixel
            // A limit that is lower already stays.
            let lower = #"at() { [ "$(ulimit $1)" = unlimited ] || [ "$(ulimit $1)" -gt $2 ] && ulimit $1 $2; }"#
            let limits = "\(lower); at -c 0; at -t \(Self.processorTime); at -v \(memory >> 10)"
            process = try Process.start(
                "/bin/sh",
                ["-c", "\(limits); exec \"$0\" \"$@\"", program] + arguments
                    + ["\(options.maximumBytes)", "\(options.maximumPixels)"] + (isHeaderOnly ? ["--header-only"] : []),
                input: input,
                output: output,
                // The output of crashing codec libraries is replaced by the error below.
                errors: FileHandle.nullDevice
            )
        } catch {
            throw .notStarted(.heic)
        }
        let isLate = Mutex(false)
        let watch = DispatchWorkItem {
            isLate.withLock { $0 = true }
            kill(process.processIdentifier, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout / .seconds(1), execute: watch)
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        watch.cancel()
        process.waitUntilExit()
        let line = data.prefix { $0 != 0x0A }
        if let head = try? JSONDecoder().decode(HEICHead.self, from: line) {
            if let fault = head.fault { throw fault }
            let pixels = data.dropFirst(line.count + 1)
            let sides = 1..<1 << 16
            if sides ~= head.width, sides ~= head.height,
                pixels.count == (isHeaderOnly ? 0 : head.width * head.height * 3)
            {
                return (head.width, head.height, [UInt8](pixels))
            }
        }
        let (status, isSignal) = (process.terminationStatus, process.terminationReason == .uncaughtSignal)
        // The shell's codes for a program that is missing or cannot run.
        if [126, 127].contains(status), !isSignal { throw .notStarted(.heic) }
        let end = isSignal ? "was ended by signal \(status)" : "ended with code \(status) and no picture"
        let isTooLate = isLate.withLock { $0 }
        throw .corrupt(
            .heic,
            isTooLate ? "decoding it took more than \(timeout)" : "the process that decoded it \(end)"
        )
    }
}

extension FileHandle {
    /// Creates a file without a name: its content is deleted with the last process that has it open.
    public static func unnamed() throws(POSIXError) -> FileHandle {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/spinebench-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw .last }
        unlink(&template)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

extension POSIXError {
    /// The error of the last call of the system.
    public static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
