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

/// Time of a picture; missing or invalid values are absent.
extension Exif {
    /// Returns the time of the location by the satellites' clock, else of the picture by the camera's clock, which is
    /// in `zone` when it has no zone.
    func date(in zone: TimeZone) -> Date? { measured ?? taken(in: zone) }

    /// Date and time of the GPS directory (tags 0x1D and 7), UTC.
    private var measured: Date? {
        guard let directory = directory(0x8825), let day = text(0x1D, in: directory),
            let time = rationals(7, in: directory)
        else { return nil }
        return Self.date(day, time.map { Int($0) }, TimeZone(secondsFromGMT: 0))
    }

    /// Returns DateTimeOriginal (tag 0x9003) with its zone (0x9011).
    private func taken(in zone: TimeZone) -> Date? {
        guard let directory = directory(0x8769), let text = text(0x9003, in: directory) else { return nil }
        let parts = text.split(separator: " ")
        guard parts.count == 2 else { return nil }
        let time = parts[1].split(separator: ":").compactMap { Int($0) }
        let ownZone = self.text(0x9011, in: directory).flatMap(Self.zone)
        return Self.date(String(parts[0]), time, ownZone ?? zone)
    }

    /// Returns the zone of a text such as "+02:00".
    private static func zone(_ text: String) -> TimeZone? {
        let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
        guard let sign = text.first, "+-".contains(sign), parts.count == 2 else { return nil }
        guard (0...14).contains(parts[0]), (0...59).contains(parts[1]) else { return nil }
        let seconds = parts[0] * 3_600 + parts[1] * 60
        return TimeZone(secondsFromGMT: sign == "-" ? -seconds : seconds)
    }

    /// Returns a day such as "2019:07:28" with hours, minutes and seconds; nil for one that no calendar has.
    private static func date(_ day: String, _ time: [Int], _ zone: TimeZone?) -> Date? {
        let parts = day.split(separator: ":").compactMap { Int($0) }
        guard let zone, parts.count == 3, time.count == 3, (1_900...9_999).contains(parts[0]),
            (parts + time).allSatisfy({ (0...9_999).contains($0) })
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        var components = DateComponents()
        (components.year, components.month, components.day) = (parts[0], parts[1], parts[2])
        (components.hour, components.minute, components.second) = (time[0], time[1], time[2])
        return components.isValidDate(in: calendar) ? calendar.date(from: components) : nil
    }
}

extension ImageFormat {
    var ending: String { self == .jpeg ? "jpg" : rawValue }

    var mediaType: String { "image/\(rawValue)" }
}
