/// Kinds of labels that a dataset can be exported as.
package enum ExportFormat: String, Sendable, CaseIterable {
    /// `annotations.json` and the pictures.
    case coco
    /// `Label.txt` and the pictures.
    case paddleocr
}
