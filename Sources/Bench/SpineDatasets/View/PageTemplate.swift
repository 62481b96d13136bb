import Basics
package import Foundation

/// Template of a self-contained HTML file: `{{style}}` and `{{script}}` in the HTML are replaced by those files,
/// `{{policy}}` by the policy that permits only them, and `{{data}}` by the inserted data.
package struct PageTemplate: Sendable {
    /// Script that all pages have in common.
    package static let tools = PackageResources.tools_js
    /// Style that the pages of commands have in common.
    package static let style = PackageResources.tools_css

    private let halves: [String]
    private let parts: [String: String]

    /// `html` has `{{data}}` once; scripts form one block, so that their names do not collide with the window's.
    package init(html: [UInt8], style: [UInt8], scripts: [[UInt8]]) {
        let style = String(decoding: style, as: UTF8.self)
        let texts = ([Self.tools] + scripts).map { String(decoding: $0, as: UTF8.self) }
        let script = scripts.isEmpty ? "" : "\"use strict\";\n{\n" + texts.joined(separator: "\n") + "}\n"
        halves = String(decoding: html, as: UTF8.self).components(separatedBy: "{{data}}")
        parts = ["style": style, "script": script, "policy": PageText.policy(style: style, script: script)]
    }

    package func opening(_ values: [String: String]) -> Data { fill(halves[0], with: values) }

    package var ending: Data { fill(halves.dropFirst().joined(), with: [:]) }

    private func fill(_ text: String, with values: [String: String]) -> Data {
        // In one pass: inserted text may have braces, too.
        Data(text.replacing(/\{\{(\w+)\}\}/) { values[String($0.1)] ?? parts[String($0.1)] ?? "" }.utf8)
    }
}

/// Text put into HTML so that it stays text, and a page that loads nothing.
package enum PageText {
    package static func escaped(_ text: String) -> String {
        [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// Returns JSON for a data block, which no browser runs.
    package static func dataBlock(_ json: Data) -> Data {
        let parts = json.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
        return Data(parts.joined(separator: Data("\\u003c".utf8)))
    }

    /// Returns the content security policy that loads nothing and permits only this style and this script,
    /// independent of the data.
    ///
    /// Source: Content Security Policy Level 3, 2.3.1, on hashes.
    package static func policy(style: String, script: String) -> String {
        "default-src 'none'; img-src data:; style-src '\(integrity(style))'; script-src '\(integrity(script))'; "
            + "base-uri 'none'; form-action 'none'"
    }

    /// Returns `sha256-` and the base64 of the digest, the form of content security policies.
    private static func integrity(_ text: String) -> String {
        "sha256-" + Data(SHA256.digest(of: Array(text.utf8))).base64EncodedString()
    }
}
