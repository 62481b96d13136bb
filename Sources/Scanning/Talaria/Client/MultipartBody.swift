/// Photos as the body of an upload: `multipart/form-data`, one part `photos[]` each, in order.
struct MultipartBody {
    /// The value of `Content-Type`.
    let contentType: String
    /// The body, of known length.
    let stream: ByteStream

    /// - Parameters:
    ///   - photos: The photos.
    ///   - boundary: What parts them; by chance alone it is in none of the photos when it has 122 random bits.
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
