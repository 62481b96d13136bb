/// The description of the API that clients and their generators read: OpenAPI 3.1.
enum OpenAPIDocument {
    /// The file `openapi.json` of this target.
    static let json: [UInt8] = PackageResources.openapi_json
}
