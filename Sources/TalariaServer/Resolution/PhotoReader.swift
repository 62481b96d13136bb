package import Talaria

/// What was read off a photo.
package struct PhotoText: Sendable, Equatable {
    /// A line that was read.
    package struct Line: Sendable, Equatable {
        package var text: String
        /// The probability that it was read right, 0…1.
        package var confidence: Double

        /// - Parameters:
        ///   - text: as it was read.
        ///   - confidence: 0…1.
        package init(text: String, confidence: Double = 1) {
            self.text = text
            self.confidence = confidence
        }
    }

    /// In reading order.
    package var lines: [Line]
    /// Around all of them, where the engine says.
    package var box: NormalizedBox?

    /// - Parameters:
    ///   - lines: in reading order.
    ///   - box: around all of them.
    package init(lines: [Line], box: NormalizedBox? = nil) {
        self.lines = lines
        self.box = box
    }
}

/// Reads the text off a photo: an engine, or a script in tests.
package struct PhotoReader: Sendable {
    package var read: @Sendable (_ bytes: [UInt8], _ name: String) throws -> PhotoText

    /// - Parameter read: blocks its thread until the photo of these bytes is read; the name is for its errors.
    package init(read: @escaping @Sendable (_ bytes: [UInt8], _ name: String) throws -> PhotoText) {
        self.read = read
    }
}
