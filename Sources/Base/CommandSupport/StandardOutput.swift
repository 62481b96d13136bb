import Foundation
import Synchronization

/// Standard output whose every write is checked: the only way in which a command prints.
///
/// Each text is written at once. The first write that fails is remembered, and the ones after it are left out: the end of
/// the program (``ending(_:)``) says so and turns success into failure.
package enum StandardOutput {
    private static let failure = Mutex<Int32?>(nil)

    /// Writes a text as it is.
    package static func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes bytes as they are.
    package static func write(_ bytes: [UInt8]) {
        failure.withLock { failure in
            guard failure == nil else { return }
            failure = firstError(writing: bytes)
        }
    }

    /// Whether a write has failed: then nobody sees what is printed, and long work may end.
    package static var hasFailed: Bool { failure.withLock { $0 != nil } }

    /// End of a program that would end with `status`, and what to say about it on standard error.
    ///
    /// A reader that has gone, as `head` goes, gets the code of SIGPIPE and no words.
    package static func ending(_ status: Int32) -> (status: Int32, message: String?) {
        guard let number = failure.withLock({ $0 }) else { return (status, nil) }
        if number == EPIPE { return (ExitStatus.signal(SIGPIPE).code, nil) }
        let message =
            "standard output cannot be written: \(String(cString: strerror(number))); the output is incomplete: "
            + "free some space, or redirect it"
        return (status == 0 ? ExitStatus.environment.code : status, message)
    }

    /// The system's number for what went wrong; nil when all is written.
    private static func firstError(writing bytes: [UInt8]) -> Int32? {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = Foundation.write(STDOUT_FILENO, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                if count >= 0 {
                    done += count
                } else if errno == EAGAIN {
                    // A pipe that somebody else has made non-blocking, and that is full.
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
