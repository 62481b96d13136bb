import Basics
package import Foundation

/// Ways of a page that lead elsewhere or nowhere.
extension WebPage {
    /// Longest wait, in seconds, of a page that leads to another one; a longer one is read first.
    private static let mostWait = 30.0

    /// Returns where a page leads by itself: by its header "Refresh", else by a `meta` element; nil for a page that stays, or that
    /// loads itself again.
    ///
    /// A page for readers without scripts (`noscript`) is followed unless the page describes itself for links.
    /// Source: HTML Standard, 4.2.5.3, "shared declarative refresh steps" and "refresh".
    package static func forward(html bytes: [UInt8], contentType: String?, refresh: String?, url: URL) -> URL? {
        if let refresh, let next = target(of: refresh, relativeTo: url) { return next == page(url) ? nil : next }
        let start = bytes.prefix(mostBytes)
        guard String(decoding: start, as: UTF8.self).contains(/(?i)refresh/),
            let root = HTMLTree.parse(Charset.utf8(Array(start), contentType: contentType))
        else { return nil }
        let nodes = root.descendants()
        let isDescribed = MetaTags(nodes)["og:title"] != nil
        let hidden = Set(
            nodes.filter { isDescribed && $0.name == "noscript" }.flatMap { $0.descendants() }.map(
                ObjectIdentifier.init
            )
        )
        let next = nodes.lazy.filter { node in
            node.name == "meta" && !hidden.contains(ObjectIdentifier(node))
                && node.attributes["http-equiv"]?.lowercased() == "refresh"
        }.compactMap { $0.attributes["content"].flatMap { target(of: $0, relativeTo: base(nodes, url)) } }.first
        return next == page(url) ? nil : next
    }

    /// Returns the address in a text such as "0; url=next"; nil for none, for a long wait, and for one that is not of the web.
    private static func target(of content: String, relativeTo base: URL) -> URL? {
        let pattern = /\s*(\d*)[\d.]*(?:\s*[;,]\s*|\s+)(.+)/.dotMatchesNewlines()
        guard let match = content.wholeMatch(of: pattern)?.output, match.1 != "" || content.contains("."),
            Double(match.1) ?? 0 <= mostWait
        else { return nil }
        var address = String(match.2).replacing(/^url\s*=\s*/.ignoresCase(), with: "")
        if let quote = address.first, quote == "\"" || quote == "'" {
            address = String(address.dropFirst().prefix { $0 != quote })
        }
        let plain = address.filter { !"\t\r\n".contains($0) }
        return SafeText.address(plain, relativeTo: base).flatMap { URL(string: $0) }.map(page)
    }

    /// Returns an address without its fragment.
    private static func page(_ url: URL) -> URL {
        var parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true)
        parts?.fragment = nil
        return parts?.url ?? url
    }

    /// Returns the address to which those of a page are relative.
    static func base(_ nodes: [HTMLNode], _ url: URL) -> URL {
        nodes.first { $0.name == "base" }?.attributes["href"].flatMap { URL(string: $0, relativeTo: url) } ?? url
    }

    /// Returns why the content of a page cannot be read as text: "it is compressed with br, …"; nil where it can.
    package static func problem(of body: [UInt8], contentType: String?, coding: String?) -> String? {
        let codings = (coding ?? "").lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        if let coding = codings.first(where: { ["br", "zstd", "compress", "x-compress", "dcb", "dcz"].contains($0) }) {
            return "the page is compressed with \(coding), which was not asked for"
        }
        let files: [(name: String, sign: [UInt8])] = [
            ("gzip", [0x1F, 0x8B]), ("Zstandard", [0x28, 0xB5, 0x2F, 0xFD]), ("PDF", Array("%PDF-".utf8)),
            ("ZIP", Array("PK\u{3}\u{4}".utf8)), ("PNG", [0x89, 0x50, 0x4E, 0x47]), ("JPEG", [0xFF, 0xD8, 0xFF]),
            ("GIF", Array("GIF8".utf8)), ("WebP or WAV", Array("RIFF".utf8)),
        ]
        if let file = files.first(where: { body.starts(with: $0.sign) }) {
            return "the content is a \(file.name) file, and its headers do not say so"
        }
        return Charset.isBinary(body, contentType: contentType)
            ? "the content is not text, and its headers say that it is" : nil
    }
}
