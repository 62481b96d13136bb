public import Foundation
public import Imaging
import Synchronization

/// Decodes HEIC pictures in a process of its own each, with limits: a damaged one that ends it costs that picture
/// alone.
///
/// libde265 decodes in threads of its own, and an exception in one of them ends its process, whatever the caller
/// does.
public struct HEICProcess: Sendable {
    /// Decodes every HEIC of this process in a process of its own, by the same program's ``HEICDecodeCommand``.
    public static func install() { ImageCodec.decodeHEIC(with: HEICProcess().decode) }

    private let program: String
    private let arguments: [String]
    private let timeout: Duration

    /// - Parameters:
    ///   - program: that decodes; the one that runs now unless another is named.
    ///   - arguments: before those of ``HEICDecodeCommand``.
    ///   - timeout: after which it is killed. A phone's picture of 12 MP takes under a second.
    public init(
        program: String = Bundle.main.executablePath ?? CommandLine.arguments[0],
        arguments: [String] = [HEICDecodeCommand.name],
        timeout: Duration = .seconds(60)
    ) {
        self.program = program
        self.arguments = arguments
        self.timeout = timeout
    }

    /// Decodes a file; blocks its thread until then.
    ///
    /// - Throws: the codec's error about the file; `corrupt` when the process ends without an answer or takes too
    ///   long; `notStarted` when it cannot be started.
    public func decode(_ bytes: [UInt8], options: DecodingOptions) throws(ImageFault) -> RasterImage {
        let input: FileHandle
        do {
            input = try FileHandle.unnamed()
            try input.write(contentsOf: Data(bytes))
            try input.seek(toOffset: 0)
        } catch {
            throw .notStarted(.heic)
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments + ["\(options.maximumBytes)", "\(options.maximumPixels)"]
        process.standardInput = input
        process.standardOutput = output
        // The output of crashing codec libraries is replaced by the error below.
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
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
        switch HEICAnswer.read(data) {
        case .picture(let image)?: return image
        case .failure(let error)?: throw error
        case nil:
            let detail =
                isLate.withLock { $0 }
                ? "decoding it took more than \(timeout)"
                : "the process that decoded it \(Self.end(of: process))"
            throw .corrupt(.heic, detail)
        }
    }

    private static func end(of process: Process) -> String {
        process.terminationReason == .uncaughtSignal
            ? "was ended by signal \(process.terminationStatus)"
            : "ended with code \(process.terminationStatus) and no picture"
    }
}

extension FileHandle {
    /// Creates a file without a name: its content is deleted with the last process that has it open.
    package static func unnamed() throws(POSIXError) -> FileHandle {
        var template = Array("\(FileManager.default.temporaryDirectory.path)/spinebench-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw .last }
        unlink(&template)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

extension POSIXError {
    /// The error of the last call of the system.
    package static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
