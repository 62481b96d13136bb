/// Header of a part, which stands before its content.
struct MultipartHeader: Sendable, Equatable {
    /// Of the form's field.
    var name: String
    /// In lower case, without parameters; nil when the part does not say.
    var contentType: String?

    /// - Parameters:
    ///   - name: of the form's field.
    ///   - contentType: in lower case.
    init(name: String, contentType: String?) {
        self.name = name
        self.contentType = contentType
    }

    /// The file name that a client may send is not even read: it is of no use here, and of use to an attacker alone.
    ///
    /// - Parameter text: lines; nil is returned when none is a form field's disposition.
    init?(_ text: String) {
        var name: String?
        var contentType: String?
        for line in text.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            switch line[..<colon].lowercased() {
            case "content-disposition":
                guard value.lowercased().hasPrefix("form-data") else { return nil }
                name = Self.parameter("name", of: value)
            case "content-type": contentType = value.split(separator: ";").first?.lowercased()
            default: continue
            }
        }
        guard let name else { return nil }
        self.init(name: name, contentType: contentType)
    }

    /// The boundary in a content type.
    ///
    /// - Parameter contentType: of the request.
    /// - Returns: nil when it is no multipart form, or has no boundary that RFC 2046 allows.
    static func boundary(in contentType: String) -> String? {
        guard contentType.lowercased().hasPrefix("multipart/form-data"),
            let boundary = parameter("boundary", of: contentType[...]), (1...70).contains(boundary.utf8.count)
        else { return nil }
        return boundary
    }

    /// The value of `; name=value` or `; name="value"`, outside of other quoted values.
    private static func parameter(_ name: String, of text: Substring) -> String? {
        var rest = text
        while let semicolon = rest.firstIndex(of: ";") {
            rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
            guard let equals = rest.firstIndex(where: { $0 == "=" || $0 == ";" }), rest[equals] == "=" else { continue }
            let key = rest[..<equals].lowercased()
            rest = rest[rest.index(after: equals)...]
            let value: Substring
            if rest.first == "\"" {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "\"") else { return nil }
                value = rest[..<end]
                rest = rest[rest.index(after: end)...]
            } else {
                value = rest.prefix { $0 != ";" && $0 != " " }
            }
            if key == name { return String(value) }
        }
        return nil
    }
}
