import Basics
public import Foundation

/// Identity of this device for the server: a random UUID that is created once and stored (S2-43, K-28).
public enum DeviceIdentity {
    /// Returns the identity that `file` keeps; made and written there when there is none.
    ///
    /// The file is readable by its owner only. When two processes make one at once, both get the same.
    ///
    /// - Throws: `TalariaError.deviceIdentity` when the file cannot be read or written, or holds no UUID.
    public static func load(from file: URL) throws(TalariaError) -> UUID {
        let path = file.path(percentEncoded: false)
        do {
            if let identity = try read(path) { return identity }
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try write(UUID().uuidString, path)
            guard let identity = try read(path) else { throw POSIXError(.ENOENT) }
            return identity
        } catch let error as TalariaError {
            throw error
        } catch {
            throw .deviceIdentity(path: path, reason: error.systemReason)
        }
    }

    /// Returns the identity's file by the XDG Base Directory Specification: `$XDG_DATA_HOME/spinebench/device-id`.
    public static func standardFile(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        home: URL = URL.homeDirectory
    ) -> URL {
        // The specification has relative paths ignored.
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
        return (data ?? home.appending(path: ".local/share")).appending(path: "spinebench/device-id")
    }

    private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    private static func read(_ path: String) throws -> UUID? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw lastError
        }
        defer { close(descriptor) }
        // Tightened in case it was loosened: a reader of the identity can request this device's scans.
        fchmod(descriptor, 0o600)
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw lastError }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let identity = UUID(uuidString: text) else {
            let reason = "it contains no UUID; remove it to create a new identity"
            throw TalariaError.deviceIdentity(path: path, reason: reason)
        }
        return identity
    }

    /// Writes an identity, unless there is one by then.
    ///
    /// It is written under another name first, and then linked: a partial file is never visible, and a link never
    /// replaces one.
    private static func write(_ identity: String, _ path: String) throws {
        let draft = "\(path).\(identity)"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw lastError }
        defer { unlink(draft) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data("\(identity)\n".utf8))
        try file.synchronize()
        guard link(draft, path) == 0 || errno == EEXIST else { throw lastError }
    }
}

#if canImport(Security)
import Security

/// Stores the device's identity in the Keychain, where it survives the app (S2-43).
public enum KeychainIdentity {
    /// Returns the identity that the Keychain keeps; made and put there when there is none.
    ///
    /// - Throws: `TalariaError.deviceIdentity` when the Keychain refuses, or holds no UUID.
    public static func load(service: String) throws(TalariaError) -> UUID {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "device-id",
        ]
        // Excluded from backups: another device is another identity. Whichever process is first adds it.
        var item = query
        item[kSecValueData] = Data(UUID().uuidString.utf8)
        item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        var status = SecItemAdd(item as CFDictionary, nil)
        var result: CFTypeRef?
        if status == errSecSuccess || status == errSecDuplicateItem {
            status = SecItemCopyMatching(query.merging([kSecReturnData: true]) { $1 } as CFDictionary, &result)
        }
        guard status == errSecSuccess, let data = result as? Data else {
            throw .deviceIdentity(path: "Keychain item \(service)", reason: "it cannot be read: status \(status)")
        }
        guard let identity = UUID(uuidString: String(decoding: data, as: UTF8.self)) else {
            throw .deviceIdentity(path: "Keychain item \(service)", reason: "it contains no UUID; remove it")
        }
        return identity
    }
}
#endif
