package import Foundation
package import Imaging
import SpineDatasets

/// A photo's books as one self-contained HTML file: outlines over the photo, and a list with unsure books first, for
/// review, correction and export.
package struct ShelfPage {
    var report: ShelfReport
    var image: RasterImage

    /// The photo's longer side on the page, in pixels: enough to read most titles.
    private static let longSide = 2000

    package init(report: ShelfReport, image: RasterImage) {
        (self.report, self.image) = (report, image)
    }

    /// Returns the page in UTF-8.
    ///
    /// - Throws: the codec's error.
    package func html() throws -> Data {
        let scale = min(1, Double(Self.longSide) / Double(max(image.width, image.height)))
        let shown = image.resized(
            width: max(1, Int(Double(image.width) * scale)),
            height: max(1, Int(Double(image.height) * scale))
        )
        let photo = Data(try ImageCodec.encodeJPEG(shown, quality: 82)).base64EncodedString()
        let template = PageTemplate(
            html: PackageResources.shelf_html,
            style: PackageResources.shelf_css,
            scripts: [PackageResources.shelf_js]
        )
        let name = URL(filePath: report.path).lastPathComponent
        var page = template.opening(["name": PageText.escaped(name), "photo": "data:image/jpeg;base64,\(photo)"])
        page += PageText.dataBlock(try JSONEncoder().encode(report))
        return page + template.ending
    }
}
