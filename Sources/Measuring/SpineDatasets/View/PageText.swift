package import Foundation

/// Text put into HTML so that it stays text, and a page that loads nothing.
package enum PageText {
    /// `text` as text of an HTML element or of a quoted attribute.
    package static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
    }

    /// JSON for a data block, which no browser runs.
    ///
    /// JSON may hold `<` in strings only, so that escaping it there keeps any text from ending its block.
    package static func dataBlock(_ json: Data) -> Data {
        var block = Data(capacity: json.count)
        for byte in json {
            if byte == UInt8(ascii: "<") { block += Data("\\u003c".utf8) } else { block.append(byte) }
        }
        return block
    }

    /// The content security policy under which nothing is loaded and only this style and this script apply, whatever
    /// the data say.
    ///
    /// Source: Content Security Policy Level 3, 2.3.1, on hashes.
    package static func policy(style: String, script: String) -> String {
        "default-src 'none'; img-src data:; style-src '\(integrity(style))'; script-src '\(integrity(script))'; "
            + "base-uri 'none'; form-action 'none'"
    }

    /// `sha256-` and the base64 of the digest, as content security policies name a text.
    private static func integrity(_ text: String) -> String {
        let digits = Array(SHA256.hex(of: Array(text.utf8)))
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        return "sha256-" + Data(bytes).base64EncodedString()
    }
}
