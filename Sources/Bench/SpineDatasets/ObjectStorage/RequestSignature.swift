import Basics
import Foundation

/// Keys by which a store knows who asks.
struct StoreCredentials: Sendable, Equatable {
    var accessKey: String
    var secretKey: String
    /// Session token of temporary keys.
    var sessionToken: String?
}

/// Signature Version 4 of a request for S3: the path is encoded once.
///
/// Source: Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header".
struct RequestSignature {
    var credentials: StoreCredentials
    var region: String
    var service = "s3"

    /// Headers of the request, the signature among them; all but that one are signed.
    ///
    /// `method`: In capitals. `host`: With the port where it is not the scheme's own. `path`: Encoded. `query`: Encoded,
    /// its keys in order. `headers`: Further headers of the request, names in small letters. `time`: In UTC,
    /// "20130524T000000Z".
    func headers(
        method: String,
        host: String,
        path: String,
        query: String = "",
        headers: [String: String],
        body: [UInt8] = [],
        time: String
    ) -> [String: String] {
        var all = headers
        let content = SHA256.hex(of: body)
        all["host"] = host
        all["x-amz-content-sha256"] = content
        all["x-amz-date"] = time
        all["x-amz-security-token"] = credentials.sessionToken
        let sorted = all.sorted { $0.key < $1.key }
        let names = sorted.map(\.key).joined(separator: ";")
        let lines = sorted.map { "\($0.key):\($0.value.trimmingCharacters(in: .whitespaces))\n" }.joined()
        let request = "\(method)\n\(path)\n\(query)\n\(lines)\n\(names)\n\(content)"
        let day = String(time.prefix(8))
        let scope = "\(day)/\(region)/\(service)/aws4_request"
        let digest = SHA256.hex(of: Array(request.utf8))
        let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(digest)"
        let signature = SHA256.authenticationCode(of: text, key: key(day: day)).hexadecimal
        all["authorization"] =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
        return all
    }

    func key(day: String) -> [UInt8] {
        [day, region, service, "aws4_request"].reduce(Array("AWS4\(credentials.secretKey)".utf8)) {
            SHA256.authenticationCode(of: $1, key: $0)
        }
    }
}
