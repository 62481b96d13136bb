import Basics
import Foundation
import SpineDatasets

/// A history as one HTML page, which loads nothing: a plot for each figure of each variant, the steps marked.
package struct HistoryPage: Sendable {
    private let history: History

    package init(_ history: History) { self.history = history }

    private static let template = PageTemplate(
        html: PackageResources.history_html,
        style: PackageResources.history_css,
        scripts: [PackageResources.history_js]
    )

    private struct Contents: Encodable {
        var history: History
        var method: String
    }

    package var bytes: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(Contents(history: history, method: HistoryText.method))
            return Array(Self.template.opening([:]) + PageText.dataBlock(data) + Self.template.ending)
        }
    }
}
