import Foundation

extension Error {
    /// The system's reason in plain words, such as "no such file or directory"; the error's own words for any other
    /// one.
    ///
    /// Foundation's description of the same error is a sentence about an operation, or a dump of its domain and code.
    public var systemReason: String {
        if let number = systemErrorNumber {
            let text = String(cString: strerror(number))
            return text.prefix(1).lowercased() + text.dropFirst()
        }
        if let error = self as? CocoaError { return error.plainReason }
        if let error = self as? DecodingError { return error.plainReason }
        return "\(self)"
    }

    /// File of the failed system call; nil if the error does not contain it.
    package var systemPath: String? {
        guard let information = (self as? CocoaError)?.userInfo else { return nil }
        return information[NSFilePathErrorKey] as? String ?? (information[NSURLErrorKey] as? URL)?.path
    }

    /// System's own number (`errno`) of the error, or of the one below it; nil without one.
    package var systemErrorNumber: Int32? {
        if let error = self as? POSIXError { return error.code.rawValue }
        if let error = self as? CocoaError {
            if let below = error.userInfo[NSUnderlyingErrorKey] as? any Error, let number = below.systemErrorNumber {
                return number
            }
            return error.namedErrorNumber
        }
        // Via Any: on Darwin every error is one, and a plain cast would be a warning.
        guard let error = (self as Any) as? NSError, error.domain == NSPOSIXErrorDomain else { return nil }
        return Int32(exactly: error.code)
    }
}

extension CocoaError {
    /// Number of an error that Foundation reports without the underlying one.
    fileprivate var namedErrorNumber: Int32? {
        switch code {
        case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
        case .fileReadNoPermission, .fileWriteNoPermission: EACCES
        case .fileWriteFileExists: EEXIST
        case .fileWriteOutOfSpace: ENOSPC
        case .fileWriteVolumeReadOnly: EROFS
        case .fileReadTooLarge: EFBIG
        default: nil
        }
    }

    fileprivate var plainReason: String {
        switch code {
        case .fileReadInapplicableStringEncoding, .fileReadCorruptFile: "it is damaged, or not UTF-8 text"
        case .fileReadInvalidFileName, .fileWriteInvalidFileName: "its name is not a valid file name"
        default: "no reason given by the system (code \(code.rawValue))"
        }
    }
}

extension DecodingError {
    /// Reason in the parser's own words if available.
    fileprivate var plainReason: String {
        switch self {
        case .dataCorrupted(let context):
            let underlying = context.underlyingError as NSError?
            let reason = underlying?.userInfo[NSDebugDescriptionErrorKey] as? String ?? context.debugDescription
            // What Foundation says on Linux, whatever the fault.
            return reason == "The given data was not valid JSON." ? "invalid JSON" : reason
        case .keyNotFound(let key, _): return "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? context.debugDescription : "\"\(path)\": \(context.debugDescription)"
        @unknown default: return "invalid JSON"
        }
    }
}
