import Foundation
import Synchronization

/// Standard output whose every write is checked: the only way in which a command prints.
///
/// Each text is written at once. After the first failed write the following ones are omitted: the end of the program
/// (``ending(_:)``) reports it and turns success into failure.
public enum StandardOutput {
    private static let failure = Mutex<Int32?>(nil)

    /// Writes a text.
    public static func write(_ text: String) { write(Array(text.utf8)) }

    package static func write(_ bytes: [UInt8]) {
        failure.withLock { failure in
            guard failure == nil else { return }
            failure = firstError(writing: bytes)
        }
    }

    /// Whether a write has failed: then the output is lost, and long work may end.
    public static var hasFailed: Bool { failure.withLock { $0 != nil } }

    /// Returns the final status of a program that would end with `status`, and its message on standard error.
    ///
    /// A reader that has closed the pipe, as `head` does, results in the code of SIGPIPE and no message.
    public static func ending(_ status: Int32) -> (status: Int32, message: String?) {
        guard let number = failure.withLock({ $0 }) else { return (status, nil) }
        if number == EPIPE { return (ExitStatus.signal(SIGPIPE).code, nil) }
        let message =
            "standard output cannot be written: \(String(cString: strerror(number))); the output is incomplete: "
            + "free some space, or redirect it"
        return (status == 0 ? ExitStatus.environment.code : status, message)
    }

    /// Returns the system's error number; nil after a complete write.
    private static func firstError(writing bytes: [UInt8]) -> Int32? {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = Foundation.write(STDOUT_FILENO, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                if count >= 0 {
                    done += count
                } else if errno == EAGAIN {
                    // Handles a full pipe that another process has made non-blocking.
                    var state = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&state, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
    }
}
