package import Talaria

/// Text that was read off a photo.
package struct PhotoText: Sendable, Equatable {
    /// In reading order.
    package var lines: [ReadLine]
    /// Around all of them, where the engine says.
    package var box: NormalizedBox?

    package init(lines: [ReadLine], box: NormalizedBox? = nil) {
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
