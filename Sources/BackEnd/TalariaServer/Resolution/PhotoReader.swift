package import Talaria

/// Text that was read off a photo.
package struct PhotoText: Sendable, Equatable {
    /// A line that was read.
    package struct Line: Sendable, Equatable {
        package var text: String
        /// The probability that it was read right, 0…1.
        package var confidence: Double
        /// Its corners on the photo, as in `ReadLine`; nil where the engine does not say.
        package var corners: [NormalizedPoint]?

        package init(text: String, confidence: Double = 1, corners: [NormalizedPoint]? = nil) {
            self.text = text
            self.confidence = confidence
            self.corners = corners
        }
    }

    /// In reading order.
    package var lines: [Line]
    /// Around all of them, where the engine says.
    package var box: NormalizedBox?

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
