import Basics
import Foundation
import HTTPTypes
import Imaging
import Talaria

/// Receiver that writes an upload's photos to files on arrival, and stops at the first fault.
struct UploadReceiver {
    private var parser: MultipartParser
    private let files: JobFiles
    private let job: String
    private let limits: RequestLimits
    private var current: PhotoFile?
    private var currentBytes = 0
    private var batchBytes = 0
    private var digest = SHA256()
    private(set) var photos = 0

    init(boundary: String, files: JobFiles, job: String, limits: RequestLimits) {
        parser = MultipartParser(boundary: boundary)
        (self.files, self.job, self.limits) = (files, job, limits)
    }

    mutating func take(_ piece: [UInt8]) throws {
        // Part headers and delimiters are small; larger ones are an attack.
        batchBytes += piece.count
        guard batchBytes <= limits.batchBytes + 64 << 10 else {
            throw Problem.batchTooLarge("The photos together are larger than \(limits.batchBytes >> 20) MB")
        }
        var parser = parser
        do {
            try parser.consume(piece) { try handle($0) }
        } catch let failure as MultipartParser.Failure {
            throw failure.problem
        }
        self.parser = parser
    }

    /// Ends the upload.
    ///
    /// - Returns: how many photos there are, and a digest over all of them.
    mutating func finish() throws -> (photos: Int, digest: String) {
        do {
            try parser.finish()
        } catch let failure as MultipartParser.Failure {
            throw failure.problem
        }
        guard photos > 0 else { throw Problem.invalidRequest("No part has the name photos[].") }
        return (photos, digest.hex())
    }

    /// Closes open files; call it when the upload is given up.
    mutating func close() {
        try? current?.close()
        current = nil
    }

    private mutating func handle(_ event: MultipartParser.Event) throws {
        switch event {
        case .part(let header):
            guard header.name == "photos[]" else {
                throw Problem.invalidRequest("Every part must have the name photos[].")
            }
            guard photos < limits.photos else { throw Problem.batchTooLarge("More than \(limits.photos) photos") }
            current = try files.create(photo: photos, job: job)
            currentBytes = 0
        case .bytes(let bytes):
            currentBytes += bytes.count
            guard currentBytes <= limits.photoBytes else {
                throw Problem.tooLarge("A photo is larger than \(limits.photoBytes >> 20) MB.")
            }
            digest.update(bytes)
            try current?.write(contentsOf: bytes)
        case .partEnd:
            try current?.close()
            current = nil
            // The same bytes split otherwise are another batch.
            digest.update(Data("/\(currentBytes)/".utf8))
            try checkFormat()
            photos += 1
        }
    }

    /// Checks the header alone: a photo that is damaged further on is found when it is read.
    private func checkFormat() throws {
        let path = files.path(ofPhoto: photos, job: job)
        guard let bytes = files.bytes(ofPhoto: photos, job: job) else {
            throw TalariaServerError.file(path: path, reason: "was removed before it was read")
        }
        guard (try? ImageCodec.header(of: bytes, name: "photo")) != nil else {
            throw Problem.unsupported("Photo \(photos + 1) is not a JPEG, PNG or HEIC file.")
        }
    }
}

extension MultipartParser.Failure {
    fileprivate var problem: Problem {
        switch self {
        case .headerTooLong: .invalidRequest("The header of a part is too long.")
        case .malformedHeader: .invalidRequest("A part has no Content-Disposition with a name.")
        case .malformedDelimiter: .invalidRequest("A delimiter between parts is malformed.")
        case .endsEarly: .invalidRequest("The body ends before its closing delimiter.")
        }
    }
}

struct MultipartHeader: Sendable, Equatable {
    var name: String

    /// The file name that a client may send is not even read: it is of no use here, and of use to an attacker alone.
    ///
    /// - Parameter text: lines; nil is returned when none is a form field's disposition.
    init?(_ text: String) {
        var name: String?
        for line in text.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            guard line[..<colon].lowercased() == "content-disposition" else { continue }
            guard value.lowercased().hasPrefix("form-data") else { return nil }
            name = Self.parameter("name", of: value)
        }
        guard let name else { return nil }
        self.name = name
    }

    /// Returns the boundary in a content type; nil for other content types, or without a boundary that RFC 2046 allows.
    static func boundary(in contentType: String) -> String? {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let boundary = parameter("boundary", of: contentType[...]), (1...70).contains(boundary.utf8.count)
        else { return nil }
        return boundary
    }

    /// Returns the value of `; name=value` or `; name="value"`, outside of other quoted values.
    private static func parameter(_ name: String, of text: Substring) -> String? {
        var rest = text
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
            guard let equals = rest.firstIndex(where: { $0 == "=" || $0 == ";" }), rest[equals] == "=" else { continue }
            let key = rest[..<equals].lowercased()
            rest = rest[rest.index(after: equals)...]
            let value: Substring
            if rest.first == "\"" {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "\"") else { return nil }
                value = rest[..<end]
                rest = rest[rest.index(after: end)...]
            } else {
                value = rest.prefix { $0 != ";" && $0 != " " }
            }
            if key == name { return String(value) }
        }
        return nil
    }
}
