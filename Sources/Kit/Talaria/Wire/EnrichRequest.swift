import Basics
public import Foundation

/// Request of Tier 2: the text that was read on the device, and never the picture (S0-N02).
public struct EnrichRequest: Sendable, Equatable {
    /// The text of the spine, a line of it on each line.
    public var rawText: String
    /// The device's identity.
    public var deviceID: UUID
    /// Position and direction of the text on the picture.
    public var geometry: Geometry?

    /// Creates a request to name the book with this text on its spine.
    public init(rawText: String, deviceID: UUID, geometry: Geometry? = nil) {
        (self.rawText, self.deviceID, self.geometry) = (rawText, deviceID, geometry)
    }

    /// The position and direction of the text.
    public struct Geometry: Sendable, Equatable {
        /// The box around the text.
        public var boundingBox: NormalizedBox?
        /// "vertical", "horizontal" or another word that the server may know.
        public var orientation: String?

        /// Creates a box and an orientation.
        public init(boundingBox: NormalizedBox? = nil, orientation: String? = nil) {
            (self.boundingBox, self.orientation) = (boundingBox, orientation)
        }
    }
}

extension EnrichRequest: Codable {
    /// Reads the request strictly: an invalid value is the sender's error, and is reported to it.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            rawText: try fields.decodeStrictly(String.self, .rawText),
            deviceID: try fields.decodeStrictly(UUID.self, .deviceID),
            geometry: try fields.decodeStrictly(Geometry?.self, .geometry)
        )
    }
}

extension EnrichRequest.Geometry: Codable {
    private enum CodingKeys: CodingKey { case boundingBox, orientation }

    /// Reads the box as its four edges, strictly.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        boundingBox = try fields.decodeStrictly(NormalizedBox?.self, .boundingBox)
        orientation = try fields.decodeStrictly(String?.self, .orientation)
    }

    /// Writes the box as its four edges.
    public func encode(to encoder: any Encoder) throws {
        try Members(fields: ["bounding_box": boundingBox?.edges, "orientation": orientation]).encode(to: encoder)
    }
}
