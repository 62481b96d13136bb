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
        #expect(headers["x-amz-content-sha256"] == RequestSignature.emptyBody && headers["range"] == "bytes=0-9")
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
