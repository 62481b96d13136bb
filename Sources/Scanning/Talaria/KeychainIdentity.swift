#if canImport(Security)
public import Foundation
import Security

/// Keeps the device's identity in the Keychain, where it survives the app (S2-43).
public enum KeychainIdentity {
    /// The identity that the Keychain keeps; made and put there when there is none.
    ///
    /// - Parameter service: The app's name in the Keychain.
    /// - Returns: The identity.
    /// - Throws: `TalariaError.deviceIdentity` when the Keychain refuses, or holds no UUID.
    public static func load(service: String) throws(TalariaError) -> UUID {
        if let identity = try read(service) { return identity }
        var item = query(service)
        item[kSecValueData] = Data(UUID().uuidString.utf8)
        // Not in a backup: another device is another identity.
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
            throw .deviceIdentity(path: "Keychain item \(service)", reason: "it holds no UUID; remove it")
        }
        return identity
    }
}
#endif
