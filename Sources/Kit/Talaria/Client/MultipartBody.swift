/// Photos as the body of an upload: `multipart/form-data`, one part `photos[]` each, in order.
struct MultipartBody {
    let contentType: String
    /// The body, of known length.
    let stream: ByteStream

    /// Creates the body; a boundary of 122 random bits is in none of the photos, by chance alone.
    init(photos: [Photo], boundary: String) {
        contentType = "multipart/form-data; boundary=\(boundary)"
        var parts: [[UInt8]] = []
        for (index, photo) in photos.enumerated() {
            let head = """
                \(index == 0 ? "" : "\r\n")--\(boundary)\r
                Content-Disposition: form-data; name="photos[]"; filename="spine.jpg"\r
                Content-Type: image/jpeg\r
                \r

                """
            parts.append(Array(head.utf8))
            parts.append(photo.jpeg)
        }
        parts.append(Array("\r\n--\(boundary)--\r\n".utf8))
        stream = ByteStream(parts)
    }
}

/// A photo that is ready to be sent: at most 1920 pixels a side, JPEG, without metadata.
public struct Photo: Sendable, Equatable {
    /// The JPEG file.
    public var jpeg: [UInt8]

    /// Creates a photo of these bytes.
    public init(jpeg: [UInt8]) { self.jpeg = jpeg }

    /// Limits of the server: 1 to 5 photos, 10 MB each, 50 MB together.
    static let maximumCount = 5
    static let maximumBytes = 10_000_000
    static let maximumBatchBytes = 50_000_000

    /// - Throws: `TalariaError.badPhotos` for photos that the server would refuse.
    static func check(_ photos: [Photo]) throws(TalariaError) {
        guard (1...maximumCount).contains(photos.count) else {
            throw .badPhotos("a scan has 1 to \(maximumCount) photos, not \(photos.count); send several scans")
        }
        for (index, photo) in photos.enumerated() {
            guard !photo.jpeg.isEmpty else { throw .badPhotos("photo \(index + 1) is empty") }
            guard photo.jpeg.count <= maximumBytes else {
                throw .badPhotos(
                    "photo \(index + 1) has \(photo.jpeg.count) bytes; scale it down to at most \(maximumBytes)"
                )
            }
        }
        let total = photos.reduce(0) { $0 + $1.jpeg.count }
        guard total <= maximumBatchBytes else {
            throw .badPhotos(
                "the photos have \(total) bytes together; send several scans of at most \(maximumBatchBytes)"
            )
        }
    }
}
