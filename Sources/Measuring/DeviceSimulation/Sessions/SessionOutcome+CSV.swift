import ScanningPolicies

extension SessionOutcome {
    /// The timeline as a table: RFC 4180, a header, and a row for each point.
    ///
    /// - Parameters:
    ///   - device: whose session it is; a first column when it is given.
    ///   - hasHeader: whether the columns' names come first.
    /// - Returns: lines that end in CR LF.
    package func csv(device: String? = nil, hasHeader: Bool = true) -> String {
        let header = "second,chip_c,skin_c,state,battery_percent,offered,skipped,read,books,camera_paused"
        let lead = device.map { "\"\($0.replacing("\"", with: "\"\""))\"," } ?? ""
        var lines = hasHeader ? [(device == nil ? "" : "device,") + header] : []
        for point in timeline {
            let cells = [
                "\(point.second)", "\(point.chip)", "\(point.skin)", point.state.rawValue, "\(point.percent)",
                "\(point.offered)", "\(point.skipped)", "\(point.read)", "\(point.books)", point.isPaused ? "1" : "0",
            ]
            lines.append(lead + cells.joined(separator: ","))
        }
        return lines.map { $0 + "\r\n" }.joined()
    }
}
