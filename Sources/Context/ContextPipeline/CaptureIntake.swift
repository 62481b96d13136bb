import Basics
import ContextModel
public import ContextStore
public import Foundation
import ImageCodec

/// Turns files, texts and addresses into captures.
public enum CaptureIntake {
    /// Bytes of the largest file that is taken.
    public static let mostBytes = 64 << 20
    /// Bytes of the largest text that is taken.
    public static let mostTextBytes = 1 << 20

    /// A capture of a file's bytes: a PNG, JPEG or HEIC picture, or a text in UTF-8, which may be nothing but an address.
    ///
    /// What a picture's file says of its place is taken over; the rest of its metadata is taken out of what is kept, as far as
    /// the format allows.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - name: what it is called.
    ///   - date: when it was captured.
    /// - Throws: ``CaptureError`` for any other file.
    /// - Returns: the capture, of no session yet.
    public static func capture(_ bytes: [UInt8], name: String, at date: Date) throws(CaptureError) -> NewCapture {
        guard !bytes.isEmpty else { throw .unusable(name: name, problem: "is empty") }
        guard bytes.count <= mostBytes else {
            throw .unusable(name: name, problem: "has \(bytes.count) bytes; at most \(mostBytes) are taken")
        }
        guard let header = try? ImageCodec.header(of: bytes, name: name) else {
            return try capture(text: bytes, name: name, at: date)
        }
        var new = NewCapture(kind: .image, capturedAt: date)
        new.filename = URL(filePath: name).lastPathComponent
        new.pictureEnding = header.format.ending
        new.mediaType = header.format.mediaType
        if let place = (try? ImageCodec.coordinate(in: bytes, name: name)) ?? nil {
            new.coordinate = Coordinate(latitude: place.latitude, longitude: place.longitude, measuredAt: date)
        }
        let kept = try? ImageCodec.withoutMetadata(bytes, name: name).bytes
        new.picture = Data(kept ?? bytes)
        return new
    }

    /// A capture of an address of the web.
    ///
    /// - Throws: ``CaptureError`` for anything but http and https with a host.
    public static func capture(address: String, at date: Date) throws(CaptureError) -> NewCapture {
        guard let url = webAddress(address) else {
            throw .unusable(name: String(address.prefix(200)), problem: "is no address of the web (http or https)")
        }
        var new = NewCapture(kind: .web, capturedAt: date)
        new.url = url
        return new
    }

    /// The address that a text is, and nothing else; nil for any other text.
    package static func webAddress(_ text: String) -> String? {
        let text = text.trimmingSpace
        guard text.utf8.count <= 4_096, !text.contains(where: \.isWhitespace), let url = URL(string: text),
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host()?.isEmpty == false
        else { return nil }
        return text
    }

    private static func capture(text bytes: [UInt8], name: String, at date: Date) throws(CaptureError) -> NewCapture {
        let isBinary = bytes.prefix(4_096).contains { $0 == 0 }
        guard !isBinary, let text = String(validating: bytes, as: UTF8.self), text.known != nil else {
            throw .unusable(name: name, problem: "is neither a PNG, JPEG or HEIC picture nor a text in UTF-8")
        }
        guard bytes.count <= mostTextBytes else {
            throw .unusable(
                name: name,
                problem: "is a text of \(bytes.count) bytes; at most \(mostTextBytes) are taken"
            )
        }
        // A shortcut of a browser has its address in a line of its own.
        let shortcut = text.split(whereSeparator: \.isNewline).first { $0.uppercased().hasPrefix("URL=") }
        if let url = webAddress(text) ?? shortcut.flatMap({ webAddress(String($0.dropFirst(4))) }) {
            return try capture(address: url, at: date)
        }
        var new = NewCapture(kind: .text, capturedAt: date)
        new.filename = URL(filePath: name).lastPathComponent
        new.mediaType = "text/plain"
        new.text = text
        return new
    }
}

/// Why something cannot be captured.
public enum CaptureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What came is nothing that can be looked at.
    case unusable(name: String, problem: String)

    /// What is wrong with what.
    public var description: String {
        switch self {
        case .unusable(let name, let problem): "\(name): \(problem)"
        }
    }
}

extension ImageFormat {
    /// Ending of a file's name.
    var ending: String {
        switch self {
        case .png: "png"
        case .jpeg: "jpg"
        case .heic: "heic"
        }
    }

    /// MIME type.
    var mediaType: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .heic: "image/heic"
        }
    }
}
