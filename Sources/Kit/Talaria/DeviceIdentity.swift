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
        if let identity = try read(path) { return identity }
        let folder = file.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .deviceIdentity(path: path, reason: "the folder cannot be made: \(error.systemReason)")
        }
        try keep(UUID(), path)
        guard let identity = try read(path) else {
            throw .deviceIdentity(path: path, reason: "it was removed during its creation; try again")
        }
        return identity
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

    private static func read(_ path: String) throws(TalariaError) -> UUID? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(path, "it cannot be opened")
        }
        defer { close(descriptor) }
        // Tightened in case it was loosened: a reader of the identity can request this device's scans.
        fchmod(descriptor, 0o600)
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw failure(path, "it cannot be read") }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let identity = UUID(uuidString: text) else {
            throw .deviceIdentity(path: path, reason: "it contains no UUID; remove it to create a new identity")
        }
        return identity
    }

    private static func failure(_ path: String, _ problem: String) -> TalariaError {
        .deviceIdentity(path: path, reason: "\(problem): \(String(cString: strerror(errno)))")
    }

    /// Writes an identity, unless there is one by then.
    ///
    /// It is written under another name first, and then linked: a partial file is never visible, and a link never
    /// replaces one.
    private static func keep(_ identity: UUID, _ path: String) throws(TalariaError) {
        let draft = "\(path).\(identity.uuidString)"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path, "it cannot be made") }
        defer { unlink(draft) }
        let bytes = Array("\(identity.uuidString)\n".utf8)
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        let reason = String(cString: strerror(errno))
        close(descriptor)
        guard isWritten else { throw .deviceIdentity(path: path, reason: "it cannot be written: \(reason)") }
        guard link(draft, path) == 0 || errno == EEXIST else { throw failure(path, "it cannot be made") }
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
        if let identity = try read(service) { return identity }
        var item = query(service)
        item[kSecValueData] = Data(UUID().uuidString.utf8)
        // Excluded from backups: another device is another identity.
        item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        let status = SecItemAdd(item as CFDictionary, nil)
        // Another process may have been faster; then its identity is read.
        guard status == errSecSuccess || status == errSecDuplicateItem, let identity = try read(service) else {
            throw .deviceIdentity(path: "Keychain item \(service)", reason: "it cannot be made: status \(status)")
        }
        return identity
    }

    private static func query(_ service: String) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "device-id"]
    }

    private static func read(_ service: String) throws(TalariaError) -> UUID? {
        var item = query(service)
        item[kSecReturnData] = true
        var result: CFTypeRef?
        let status = SecItemCopyMatching(item as CFDictionary, &result)
        if status == errSecItemNotFound { return nil }
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
