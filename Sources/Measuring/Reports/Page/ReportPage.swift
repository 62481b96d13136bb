import DeviceSimulation
import Documents

/// What `report.html` shows: a benchmark run as one page that needs nothing else.
///
/// A plain value that knows no run: whoever has results fills it in. Every figure may be absent and then says why.
package struct ReportPage: Sendable, Encodable {
    package var head: PageHead
    /// Of two variants, runs or builds; nil when nothing was compared.
    package var comparison: PageComparison?
    /// In the order in which they are to be shown.
    package var compliance: [PageRequirement]
    package var measurements: [PageMeasurement]
    /// Tiers × requirements, and what its words mean; nil without targets.
    var matrix: Table?
    var legend: [String] = []
    /// What only variants show that do more than read.
    var tables: [Table] = []
    /// What every tier would do on devices; nil when none was asked for.
    var devices: PageDevices?
    /// Questions that the run answers.
    var findings: [Finding]?
    package var samples: [PageSample]
    package var pictures: PagePictures

    package init(
        head: PageHead,
        comparison: PageComparison? = nil,
        compliance: [PageRequirement] = [],
        measurements: [PageMeasurement] = [],
        samples: [PageSample] = [],
        pictures: PagePictures = PagePictures()
    ) {
        self.head = head
        self.comparison = comparison
        self.compliance = compliance
        self.measurements = measurements
        self.samples = samples
        self.pictures = pictures
    }
}
