import Foundation
import SpineDatasets

extension ReportPage {
    private static let template = PageTemplate(
        html: PackageResources.report_html,
        style: PackageResources.report_css,
        scripts: [
            PackageResources.data_js, PackageResources.plots_js, PackageResources.latency_js,
            PackageResources.accuracy_js, PackageResources.cost_js, PackageResources.devices_js,
            PackageResources.summary_js, PackageResources.samples_js, PackageResources.detail_js,
            PackageResources.start_js,
        ]
    )

    /// The whole page in UTF-8.
    ///
    /// - Throws: When a figure is not finite, which JSON cannot say.
    package func html() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = PageText.dataBlock(try encoder.encode(self))
        return Array(Self.template.opening(["title": PageText.escaped(head.title)]) + data + Self.template.ending)
    }
}
