package import Foundation

#if canImport(CryptoKit)
internal import CryptoKit
#else
internal import COpenSSL
#endif

/// Public key of a P-256 pair, by which a file's signer is known.
package struct SigningKey: Sendable, Equatable {
    /// SubjectPublicKeyInfo (RFC 5480) in base64: the body of a PEM file, on one line.
    package let text: String
    /// Uncompressed point: 4, x and y.
    private let point: [UInt8]

    /// What every such key begins with: the algorithm id-ecPublicKey, the curve secp256r1, and the kind of the point.
    private static let prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE,
        0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// Creates a key of its text; nil for another kind of key, and for none.
    package init?(_ text: String) {
        guard let bytes = Data(base64Encoded: text), bytes.count == 91, bytes.starts(with: Self.prefix) else {
            return nil
        }
        (self.text, point) = (text, Array(bytes.suffix(65)))
    }

    /// Returns whether a signature is this key's of a message: ECDSA over SHA-256, in DER, as `openssl dgst -sha256 -sign` and
    /// the Secure Enclave make it.
    package func verifies(_ signature: Data, of message: Data) -> Bool {
        #if canImport(CryptoKit)
        guard let key = try? P256.Signing.PublicKey(x963Representation: point),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: message)
        #else
        var key: OpaquePointer?
        let parameters = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        let context = EVP_MD_CTX_new()
        defer {
            EVP_PKEY_free(key)
            EVP_PKEY_CTX_free(parameters)
            EVP_MD_CTX_free(context)
        }
        guard EVP_PKEY_paramgen_init(parameters) == 1, EVP_PKEY_CTX_set_group_name(parameters, "prime256v1") == 1,
            EVP_PKEY_paramgen(parameters, &key) == 1, EVP_PKEY_set1_encoded_public_key(key, point, point.count) == 1,
            EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
        else { return false }
        let bytes = [UInt8](signature)
        return message.withUnsafeBytes { message in
            EVP_DigestVerify(context, bytes, bytes.count, message.bindMemory(to: UInt8.self).baseAddress, message.count)
                == 1
        }
        #endif
    }
}
