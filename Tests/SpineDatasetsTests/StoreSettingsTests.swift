import Testing

@testable import SpineDatasets

@Suite struct StoreSettingsTests {
    private func problem(_ work: () throws -> Void) -> String {
        do {
            try work()
            return "none"
        } catch { return "\(error)" }
    }

    @Test(arguments: [
        ("s3://books", "books", "", "s3://books"), ("s3://books/", "books", "", "s3://books"),
        ("s3://books/a/b//", "books", "a/b", "s3://books/a/b"),
        ("s3://b.c-d/ä ?#%", "b.c-d", "ä ?#%", "s3://b.c-d/ä ?#%"),
    ])
    func addresses(text: String, bucket: String, key: String, plain: String) throws {
        let address = try ObjectAddress(text)
        #expect(address.bucket == bucket && address.key == key && "\(address)" == plain)
        #expect(address.appending("x.jpg").key == (key.isEmpty ? "x.jpg" : "\(key)/x.jpg"))
    }

    @Test(arguments: ["s3://", "s3:///a", "s3://a b/c", "s3://a@b/c", "s3://[::1]/a", "http://a/b"])
    func whatNamesNoBucketIsRefused(text: String) {
        #expect(problem { _ = try ObjectAddress(text) } == "\(text): has no bucket; expected s3://BUCKET/PREFIX")
    }

    /// Amazon S3 User Guide, "Virtual hosting of buckets": addresses of both styles.
    @Test(arguments: [
        ([:], "s3://books/a", "https://books.s3.us-east-1.amazonaws.com/a"),
        (["AWS_REGION": "eu-west-3"], "s3://books/a", "https://books.s3.eu-west-3.amazonaws.com/a"),
        (["AWS_DEFAULT_REGION": "cn-north-1"], "s3://books/a", "https://books.s3.cn-north-1.amazonaws.com.cn/a"),
        ([:], "s3://my.books/a", "https://s3.us-east-1.amazonaws.com/my.books/a"),
        (["AWS_ENDPOINT_URL": "http://host:9000"], "s3://books/a", "http://host:9000/books/a"),
        (["AWS_ENDPOINT_URL": "http://x", "AWS_ENDPOINT_URL_S3": "https://h:443/s3/"], "s3://b/a", "https://h/s3/b/a"),
        (["AWS_ENDPOINT_URL": "http://[::1]:9000"], "s3://books/a b", "http://[::1]:9000/books/a%20b"),
    ])
    func targets(environment: [String: String], address: String, url: String) throws {
        let target = try StoreSettings(environment: environment).target(ObjectAddress(address))
        #expect("\(target.scheme)://\(target.host)\(target.path)" == url)
    }

    @Test func keysAndTimes() throws {
        let settings = try StoreSettings(environment: [
            "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t", "AWS_REGION": "",
            "SPINEBENCH_S3_TIMEOUT": "5",
        ])
        #expect(settings.credentials == StoreCredentials(accessKey: "a", secretKey: "s", sessionToken: "t"))
        #expect(settings.timeout == 5 && settings.region == "us-east-1" && settings.endpoint == nil)
        #expect(try StoreSettings(environment: [:]).credentials == nil)
    }

    @Test(arguments: [
        (["AWS_ENDPOINT_URL": "host:9000"], "AWS_ENDPOINT_URL: invalid address \"host:9000\""),
        (["AWS_ENDPOINT_URL": "http://h:70000"], "AWS_ENDPOINT_URL: invalid address \"http://h:70000\""),
        (["AWS_ENDPOINT_URL_S3": "ftp://h"], "AWS_ENDPOINT_URL_S3: invalid address \"ftp://h\""),
        (["AWS_REGION": "eu central"], "AWS_REGION: invalid region \"eu central\""),
        (["AWS_ACCESS_KEY_ID": "a"], "AWS_ACCESS_KEY_ID: is set alone"),
        (["SPINEBENCH_S3_TIMEOUT": "0"], "SPINEBENCH_S3_TIMEOUT: invalid time \"0\""),
    ])
    func settingsThatDoNotFitAreNamed(environment: [String: String], start: String) {
        #expect(problem { _ = try StoreSettings(environment: environment) }.hasPrefix(start))
    }
}
