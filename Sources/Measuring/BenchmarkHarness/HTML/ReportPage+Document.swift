import Foundation
import SpineDatasets

extension ReportPage {
    /// The whole page in UTF-8.
    ///
    /// - Throws: When a figure is not finite, which JSON cannot say.
    package func html() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(self)
        var page = Data(Self.opening(title: head.title).utf8)
        page += PageText.dataBlock(json)
        page += Data(Self.ending.utf8)
        return Array(page)
    }

    /// All up to the data, which are one block of JSON.
    private static func opening(title: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <link rel="icon" href="data:,">
        <title>\(PageText.escaped(title))</title>
        <style>\(style)</style>
        </head>
        <body>
        \(body)
        <script type="application/json" id="data">
        """
    }

    private static let ending = "</script>\n<script>\(program)</script>\n</body>\n</html>\n"

    private static let policy = PageText.policy(style: style, script: program)

    /// In a block, so that no name meets one of the window's.
    private static let program = "\"use strict\";\n{\n" + scripts.joined(separator: "\n\n") + "\n}\n"

    private static let scripts = [
        PageScript.tools, dataScript, plotScript, latencyScript, accuracyScript, costScript, deviceScript,
        summaryScript,
        samplesScript, detailScript, startScript,
    ]

    private static let body = """
        <noscript><p>This page draws itself with a script of its own: allow scripts to see it.</p></noscript>
        <main id="page"></main>
        """
}
