package import Foundation

/// One HTML file that needs nothing else, made of files: `{{style}}` and `{{script}}` in the HTML stand for those,
/// `{{policy}}` for the policy that lets only them apply, and `{{data}}` for what is written in between.
package struct PageTemplate: Sendable {
    private let halves: [String]
    private let parts: [String: String]

    /// - Parameters:
    ///   - html: has `{{data}}` once.
    ///   - style: CSS.
    ///   - scripts: JavaScript, in one block so that no name meets one of the window's; what pages have in common
    ///     comes before them. None for a page that does nothing.
    package init(html: [UInt8], style: [UInt8], scripts: [[UInt8]]) {
        let style = String(decoding: style, as: UTF8.self)
        let texts = ([PackageResources.tools_js] + scripts).map { String(decoding: $0, as: UTF8.self) }
        let script = scripts.isEmpty ? "" : "\"use strict\";\n{\n" + texts.joined(separator: "\n") + "}\n"
        halves = String(decoding: html, as: UTF8.self).components(separatedBy: "{{data}}")
        parts = ["style": style, "script": script, "policy": PageText.policy(style: style, script: script)]
    }

    /// All before the data.
    ///
    /// - Parameter values: the page's own places, as HTML. Nothing in them stands for anything else.
    /// - Returns: HTML in UTF-8.
    package func opening(_ values: [String: String]) -> Data { fill(halves[0], with: values) }

    /// All after the data.
    package var ending: Data { fill(halves.dropFirst().joined(), with: [:]) }

    private func fill(_ text: String, with values: [String: String]) -> Data {
        let pieces = text.components(separatedBy: "{{")
        let filled = pieces.dropFirst().map { piece in
            let sides = piece.components(separatedBy: "}}")
            return (values[sides[0]] ?? parts[sides[0]] ?? "") + sides.dropFirst().joined(separator: "}}")
        }
        return Data(([pieces[0]] + filled).joined().utf8)
    }
}
