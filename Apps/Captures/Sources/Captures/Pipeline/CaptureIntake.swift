import Basics
package import CaptureReading
package import Foundation
import Imaging

package enum CaptureIntake {
    /// Bytes of the largest file that is taken.
    package static let mostBytes = 64 << 20
    /// Bytes of the largest text that is taken.
    package static let mostTextBytes = 1 << 20

    /// Returns a capture of a file's bytes: a PNG, JPEG or HEIC picture, or a text in UTF-8, or in UTF-16 with a byte
    /// order mark, which may be nothing but an address.
    ///
    /// The location in a picture's file is read; the rest of its metadata is removed from the saved file, as far as
    /// the format allows.
    package static func capture(
        _ bytes: [UInt8],
        name: String,
        at date: Date,
        in zone: TimeZone = .current
    ) throws(CaptureError) -> NewCapture {
        guard !bytes.isEmpty else { throw CaptureError(name, "is empty") }
        try check(size: bytes.count, of: name)
        guard let header = try? ImageCodec.header(of: bytes, name: name) else {
            return try capture(text: bytes, name: name, at: date)
        }
        var new = NewCapture(kind: .image, capturedAt: date)
        new.filename = URL(filePath: name).lastPathComponent
        new.pictureEnding = header.format.ending
        new.mediaType = header.format.mediaType
        if let place = ImageCodec.exif(of: bytes, { $0.coordinate }) {
            // A location without a time may be outdated.
            let taken = ImageCodec.exif(of: bytes) { $0.date(in: zone) } ?? .distantPast
            new.coordinate = Coordinate(latitude: place.latitude, longitude: place.longitude, measuredAt: taken)
        }
        new.picture = Data((try? ImageCodec.withoutMetadata(bytes, name: name)) ?? bytes)
        return new
    }

    /// Checks the size of a file before any of it is read.
    package static func check(size: Int, of name: String) throws(CaptureError) {
        guard size > mostBytes else { return }
        throw CaptureError(name, "has \(size) bytes; at most \(mostBytes) are accepted")
    }

    package static func capture(address: String, at date: Date) throws(CaptureError) -> NewCapture {
        guard let url = webAddress(address) else {
            throw CaptureError(String(address.prefix(200)), "is not a web address (http or https)")
        }
        var new = NewCapture(kind: kind(ofAddress: url), capturedAt: date)
        new.url = url
        return new
    }

    /// Returns whether an argument is an address: with a scheme, be it one of the web or not, or one that begins with
    /// "www." or has a known domain; not the name of an existing file.
    package static func isAddress(_ text: String) -> Bool {
        let lower = text.lowercased()
        if lower.hasPrefix("http://") || lower.hasPrefix("https://") { return true }
        let isLike = completed(text) != text || lower.contains(/^[a-z][a-z0-9+.-]*:\/\//)
        return isLike && !FileManager.default.fileExists(atPath: text)
    }

    /// Returns the kind of an address's target, as far as the address reveals it.
    static func kind(ofAddress address: String) -> ItemKind {
        URL(string: address).flatMap { MediaSite($0) } == nil ? .web : .media
    }

    /// Generic domains of addresses that people write without a scheme.
    private static let domains: Set<Substring> = ["com", "org", "net", "edu", "gov", "info", "app", "dev", "io"]

    /// Returns the text with "https://" in front if it is a host that begins with "www." or ends in a known domain, with or without
    /// a path; else the text itself.
    private static func completed(_ text: String) -> String {
        let host = text.lowercased().prefix { !"/?#".contains($0) }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isHost =
            labels.count > 1
            && labels.allSatisfy { label in
                !label.isEmpty && label.count < 64
                    && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-" }
            }
        let isKnown = labels.first == "www" && labels.count > 2 || labels.last.map(domains.contains) ?? false
        return isHost && isKnown ? "https://" + text : text
    }

    /// Returns the address of a text that consists of it alone, with its scheme; nil for any other text.
    static func webAddress(_ text: String) -> String? {
        let text = completed(text.trimmingSpace)
        guard text.utf8.count <= 4_096, !text.contains(where: \.isWhitespace), let url = URL(string: text),
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host()?.isEmpty == false
        else { return nil }
        return text
    }

    private static func capture(text bytes: [UInt8], name: String, at date: Date) throws(CaptureError) -> NewCapture {
        let bytes = Charset.plain(bytes)
        if let url = try shortcut(bytes, name: name) { return try capture(address: url, at: date) }
        if bytes.allSatisfy({ [0x09, 0x0A, 0x0D, 0x20].contains($0) }) {
            throw CaptureError(name, "contains only spaces")
        }
        guard !bytes.contains(0), !bytes.starts(with: Array("%PDF-".utf8)),
            let text = String(validating: bytes, as: UTF8.self), text.known != nil
        else { throw CaptureError(name, "is neither a PNG, JPEG or HEIC picture nor a text in UTF-8 or UTF-16") }
        guard bytes.count <= mostTextBytes else {
            throw CaptureError(name, "is a text of \(bytes.count) bytes; at most \(mostTextBytes) are accepted")
        }
        // The punctuation of a sentence that is nothing but an address does not belong to it.
        let stops = text.trimmingSpace.reversed().prefix { ".,;:!?".contains($0) }.count
        if let url = webAddress(String(text.trimmingSpace.dropLast(stops))) {
            return try capture(address: url, at: date)
        }
        var new = NewCapture(kind: .text, capturedAt: date)
        new.filename = URL(filePath: name).lastPathComponent
        new.mediaType = "text/plain"
        new.text = text
        return new
    }
}

extension Exif {
    /// Returns the time of the location by the satellites' clock (tags 0x1D and 7 of the GPS directory, UTC), else of the
    /// picture by the camera's (0x9003), which is in `zone` when it has no zone (0x9011); missing or invalid values are
    /// absent.
    func date(in zone: TimeZone) -> Date? {
        if let place = directory(0x8825), let day = text(0x1D, in: place), let time = rationals(7, in: place),
            let date = Self.date("\(day) \(time.map { "\(Int($0))" }.joined(separator: ":"))", .gmt)
        {
            return date
        }
        guard let camera = directory(0x8769), let text = text(0x9003, in: camera) else { return nil }
        let own = self.text(0x9011, in: camera)?.known.flatMap { TimeZone(identifier: "GMT\($0)") }
        return Self.date(text, own ?? zone)
    }

    /// Returns the time of a text such as "2019:07:28 14:03:09"; nil for one that no calendar has.
    private static func date(_ text: String, _ zone: TimeZone) -> Date? {
        let parts = text.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
        guard parts.count == 6, (1_900...9_999).contains(parts[0]), parts.dropFirst().allSatisfy({ $0 < 100 }) else {
            return nil
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = DateComponents(
            calendar: calendar,
            year: parts[0],
            month: parts[1],
            day: parts[2],
            hour: parts[3],
            minute: parts[4],
            second: parts[5]
        )
        return date.isValidDate ? date.date : nil
    }
}

extension ImageFormat {
    var ending: String { self == .jpeg ? "jpg" : rawValue }

    var mediaType: String { "image/\(rawValue)" }
}
