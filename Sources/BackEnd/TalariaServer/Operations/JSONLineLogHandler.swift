import Foundation
package import Logging

/// Writes each log message as one line of JSON, for machines.
package struct JSONLineLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - label: of the logger.
    ///   - write: takes a line with its end.
    package init(label: String, write: @escaping @Sendable (String) -> Void) {
        self.label = label
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        let line = Line(
            time: JSON.timestamp(Date()),
            level: event.level.rawValue,
            logger: label,
            message: "\(event.message)",
            metadata: all.mapValues { "\($0)" }
        )
        write(String(decoding: JSON.data(line), as: UTF8.self) + "\n")
    }

    private struct Line: Encodable {
        var time: String
        var level: String
        var logger: String
        var message: String
        var metadata: [String: String]
    }
}
