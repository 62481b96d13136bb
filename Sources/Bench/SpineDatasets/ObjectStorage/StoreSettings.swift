import Foundation

/// Address and credentials of a store, from the variables of AWS's own tools.
struct StoreSettings: Sendable, Equatable {
    /// Endpoint; nil for Amazon's own.
    var endpoint: URL?
    var region = "us-east-1"
    /// Credentials; nil for unsigned requests of public data.
    var credentials: StoreCredentials?
    /// Longest time in which a request is tried again, in seconds; a third of it without a byte ends an attempt.
    var timeout = 60.0
}

extension StoreSettings {
    init(environment: [String: String]) throws(ObjectStoreError) {
        func value(_ names: String...) -> (name: String, text: String)? {
            names.lazy.compactMap { name in environment[name].map { (name, $0) } }.first { !$0.1.isEmpty }
        }
        self.init()
        if let (name, text) = value("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") {
            // NIO ends the process for a port that does not fit.
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false,
                (1...65_535).contains(url.port ?? 80), url.query() == nil
            else { throw ObjectStoreError(.usage, name, "invalid address \"\(text)\": expected http(s)://HOST[:PORT]") }
            endpoint = url
        }
        if let (name, text) = value("AWS_REGION", "AWS_DEFAULT_REGION") {
            guard text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
                throw ObjectStoreError(.usage, name, "invalid region \"\(text)\": expected one such as eu-central-1")
            }
            region = text
        }
        let (access, secret) = (value("AWS_ACCESS_KEY_ID"), value("AWS_SECRET_ACCESS_KEY"))
        if let access, let secret {
            credentials = StoreCredentials(
                accessKey: access.text,
                secretKey: secret.text,
                sessionToken: value("AWS_SESSION_TOKEN")?.text
            )
        } else if let one = access ?? secret {
            let problem = "is set alone; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are both required"
            throw ObjectStoreError(.usage, one.name, problem)
        }
        if let (name, text) = value("SPINEBENCH_S3_TIMEOUT") {
            guard let seconds = Double(text), seconds >= 0.3, seconds <= 3_600 else {
                throw ObjectStoreError(.usage, name, "invalid time \"\(text)\": expected seconds, 0.3 to 3600")
            }
            timeout = seconds
        }
    }

    /// Returns the target of a request to an object, and the encoded path.
    func target(_ address: ObjectAddress) -> (scheme: String, host: String, path: String) {
        let key = ObjectAddress.encoded("/" + address.key)
        if let endpoint {
            var host = endpoint.host(percentEncoded: true) ?? ""
            if host.contains(":") { host = "[\(host)]" }
            let isUsual = endpoint.port == nil || endpoint.port == (endpoint.scheme == "https" ? 443 : 80)
            if !isUsual, let port = endpoint.port { host += ":\(port)" }
            var path = endpoint.path(percentEncoded: true)
            while path.hasSuffix("/") { path.removeLast() }
            return (endpoint.scheme ?? "https", host, "\(path)/\(address.bucket)\(key)")
        }
        let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        // A certificate's asterisk does not match a dot, and a host's name has no capitals.
        let isHostName = !address.bucket.contains { $0 == "." || $0 == "_" || $0.isUppercase }
        return isHostName
            ? ("https", "\(address.bucket).s3.\(region).\(domain)", key)
            : ("https", "s3.\(region).\(domain)", "/\(address.bucket)\(key)")
    }
}
