import Foundation

/// The HTML around the data of a contact sheet: one page that needs nothing else and may load nothing else.
enum ContactSheetPage {
    /// All up to the first island of data.
    static func head(_ manifest: DatasetManifest, drawn: String) -> String {
        let name = PageText.escaped([manifest.name, manifest.version].compactMap(\.self).joined(separator: " "))
        let about = [manifest.description, manifest.licence.map { "Licence: \($0)." }].compactMap(\.self)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <link rel="icon" href="data:,">
            <title>\(name): contact sheet</title>
            <style>\(style)</style>
            </head>
            <body>
            <header>
            <h1>\(name)</h1>
            \(about.isEmpty ? "" : "<p>\(PageText.escaped(about.joined(separator: " ")))</p>")
            <p>\(PageText.escaped(drawn))\(manifest.contentDigest.map { "<br><code>\(PageText.escaped($0))</code>" } ?? "")</p>
            </header>
            <noscript><p>This page draws its cards with a script of its own: allow scripts to see them.</p></noscript>
            \(form)
            \(sheet)

            """
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
    static let tail = "<script>\(program)</script>\n</body>\n</html>\n"

    /// In a block, so that no name meets one of the window's.
    private static let program = "\"use strict\";\n{\n\(PageScript.tools)\n\n\(script)\n\n\(cardScript)\n}\n"

    private static let policy = PageText.policy(style: style, script: program)

    private static let form = """
        <details id="panel" open>
        <summary>Filters and order</summary>
        <form id="filters" autocomplete="off">
        <label>Search <input type="search" name="q" placeholder="title, author, text, id" aria-keyshortcuts="/"></label>
        \(choices)
        <fieldset><legend>Text height in pixels</legend>
        <input type="number" name="heightFrom" min="0" aria-label="text height from">
        <span>to</span> <input type="number" name="heightTo" min="0" aria-label="text height to"></fieldset>
        <fieldset><legend>Spine width in pixels</legend>
        <input type="number" name="widthFrom" min="0" aria-label="spine width from">
        <span>to</span> <input type="number" name="widthTo" min="0" aria-label="spine width to"></fieldset>
        <label>Order by <select name="sort"><option value="">as in the files</option></select></label>
        <label class="switch"><input type="checkbox" name="falling"> falling</label>
        <label>On a page <select name="per"><option>120</option><option>480</option><option>2000</option>
        <option value="all">all</option></select></label>
        <label class="switch"><input type="checkbox" name="turn" checked> turn to read</label>
        <label class="switch"><input type="checkbox" name="lines" checked> lines</label>
        <label class="switch"><input type="checkbox" name="outline" checked> outline</label>
        <button type="reset">Reset</button>
        </form>
        <ul id="legend" aria-label="legend"></ul>
        </details>
        """

    /// The selects that the script fills with the values that occur.
    private static let choices = ["kind", "category", "orientation", "language", "split", "style", "role", "legible"]
        .map { name in
            let label = name == "role" ? "Has a line of" : name.capitalized
            return "<label>\(label) <select name=\"\(name)\"><option value=\"\">any</option></select></label>"
        }
        .joined(separator: "\n")

    private static let sheet = """
        <main>
        <div class="bar"><output id="count" form="filters"></output>
        <nav id="pages" aria-label="pages"><button type="button" id="back">‹ Previous page</button>
        <span id="page"></span> <button type="button" id="on">Next page ›</button></nav></div>
        <p id="nothing" hidden>Nothing fits these filters.</p>
        <ul id="cards"></ul>
        </main>
        <dialog id="large" aria-labelledby="large-title">
        <div class="head"><h2 id="large-title"></h2>
        <div><button type="button" id="previous" aria-keyshortcuts="ArrowLeft">‹ Previous</button>
        <button type="button" id="next" aria-keyshortcuts="ArrowRight">Next ›</button>
        <button type="button" id="close" autofocus>Close</button></div></div>
        <p><code id="large-id"></code> <button type="button" id="copy">Copy id</button>
        <span id="copied" role="status"></span></p>
        <div id="large-picture"></div>
        <div id="large-details"></div>
        </dialog>
        """
}
