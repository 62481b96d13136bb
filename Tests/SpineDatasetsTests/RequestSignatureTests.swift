import Basics
import Testing

@testable import SpineDatasets

@Suite struct RequestSignatureTests {
    /// The example keys of AWS's documentation.
    private let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

    /// Amazon S3 API Reference, "Signature Calculations for the Authorization Header", example "GET Object".
    @Test func thePublishedExampleOfAPartOfAnObject() {
        let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        let signature = RequestSignature(
            credentials: StoreCredentials(accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: secret),
            region: "us-east-1"
        )
        let headers = signature.headers(
            method: "GET",
            host: "examplebucket.s3.amazonaws.com",
            path: "/test.txt",
            headers: ["range": "bytes=0-9"],
            time: "20130524T000000Z"
        )
        #expect(
            headers["authorization"]
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        )
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(headers["x-amz-content-sha256"] == empty && headers["range"] == "bytes=0-9")
    }

    /// The same page of the reference, examples "PUT Object" and "Get Bucket (List Objects)".
    @Test func thePublishedExamplesOfABodyAndAQuery() {
        let signature = RequestSignature(
            credentials: StoreCredentials(
                accessKey: "AKIAIOSFODNN7EXAMPLE",
                secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
            ),
            region: "us-east-1"
        )
        let put = signature.headers(
            method: "PUT",
            host: "examplebucket.s3.amazonaws.com",
            path: "/test%24file.text",
            headers: ["date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"],
            body: Array("Welcome to Amazon S3.".utf8),
            time: "20130524T000000Z"
        )
        let body = "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        #expect(put["authorization"]?.hasSuffix("Signature=\(body)") == true)
        let list = signature.headers(
            method: "GET",
            host: "examplebucket.s3.amazonaws.com",
            path: "/",
            query: "max-keys=2&prefix=J",
            headers: [:],
            time: "20130524T000000Z"
        )
        let query = "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
        #expect(list["authorization"]?.hasSuffix("Signature=\(query)") == true)
    }

    /// AWS General Reference, "Deriving the signing key", its example.
    @Test func thePublishedExampleOfADaysKey() {
        var signature = RequestSignature(
            credentials: StoreCredentials(accessKey: "AKIDEXAMPLE", secretKey: secret),
            region: "us-east-1"
        )
        signature.service = "iam"
        #expect(
            signature.key(day: "20120215").hexadecimal
                == "f4780e2d9f65fa895f9c67b32ce1baf0b0d8a43505a000a1a9e090d414db404d"
        )
    }

    /// The signature is that of `S3SigV4Auth` in botocore 1.43 for the same request, its path quoted by Python's
    /// urllib.
    @Test func aStrangeKeyWithATemporaryTokenIsSignedAsBotocoreDoes() throws {
        let address = try ObjectAddress("s3://books/büch er").appending("a+b=c&d?e#f%20g~(1)'*.jpg")
        let settings = try StoreSettings(environment: ["AWS_ENDPOINT_URL": "http://127.0.0.1:9000/"])
        let target = settings.target(address)
        #expect(target.path == "/books/b%C3%BCch%20er/a%2Bb%3Dc%26d%3Fe%23f%2520g~%281%29%27%2A.jpg")
        let headers = RequestSignature(
            credentials: StoreCredentials(accessKey: "AKIDEXAMPLE", secretKey: secret, sessionToken: "token/of+a=role"),
            region: "eu-central-1"
        ).headers(
            method: "GET",
            host: target.host,
            path: target.path,
            headers: ["range": "bytes=512-1023", "if-match": "\"abc\""],
            time: "20260301T120005Z"
        )
        #expect(
            headers["authorization"]?.hasSuffix(
                "SignedHeaders=host;if-match;range;x-amz-content-sha256;x-amz-date;x-amz-security-token,"
                    + "Signature=0ca57be79881b113bf669758fbdbfdbdb29ee329a82958f5eef633d337dd3a93"
            ) == true
        )
    }
}
