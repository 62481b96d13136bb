import Foundation

/// The HTML around the data of a contact sheet: one page that needs nothing else and may load nothing else.
enum ContactSheetPage {
    private static let template = PageTemplate(
        html: PackageResources.sheet_html,
        style: PackageResources.sheet_css,
        scripts: [PackageResources.sheet_js, PackageResources.cards_js]
    )

    /// All up to the first island of data.
    static func head(_ manifest: DatasetManifest, drawn: String) -> Data {
        let about = [manifest.description, manifest.licence.map { "Licence: \($0)." }].compactMap(\.self)
        let digest = manifest.contentDigest.map { "<br><code>\(PageText.escaped($0))</code>" }
        return template.opening([
            "name": PageText.escaped([manifest.name, manifest.version].compactMap(\.self).joined(separator: " ")),
            "about": about.isEmpty ? "" : "<p>\(PageText.escaped(about.joined(separator: " ")))</p>",
            "drawn": PageText.escaped(drawn) + (digest ?? ""),
        ])
    }

    /// One picture's labels, and the picture as base64 where it has one.
    ///
    /// Both are data blocks, which no browser runs.
    static func island(_ json: Data, picture: Data?, index: Int) -> Data {
        var island = Data("<script type=\"application/json\" class=\"item\">".utf8)
        island += PageText.dataBlock(json)
        island += Data("</script>\n".utf8)
        if let picture {
            island += Data("<script type=\"text/plain\" id=\"p\(index)\">".utf8)
            island += picture.base64EncodedData()
            island += Data("</script>\n".utf8)
        }
        return island
    }

    /// All after the last island of data.
    static var tail: Data { template.ending }
}
