package import Evaluation

/// What the page says about the whole run.
package struct PageHead: Sendable, Encodable {
    package var title: String
    /// Nil when nothing was judged.
    package var verdict: Verdict?
    /// What decided the verdict, in a sentence or two.
    package var sentence: String
    /// Why the run is not whole: "stopped after 120 of 960 readings"; nil when it is.
    package var partial: String?
    /// Datasets, variants, when and for how long, in a line.
    package var summary: String
    /// What a reader must know before trusting a figure: the validity rules that failed, warnings.
    package var warnings: [String] = []
    /// How it was measured, a paragraph each.
    package var method: [String] = []
    /// What it was measured with: dataset, host, tool, digests.
    package var provenance: [PageFacts] = []
    /// What of ``PageAccuracy/values`` is offered, in this order: each by its key and its name.
    package var metrics: [[String]] = []
    /// The latency that readings should keep, in milliseconds: a line in plots, and the filter for slow readings.
    package var latencyTarget: Double?
    /// The share of titles that should be read, 0…1: a line in plots.
    package var titleTarget: Double?

    package init(title: String, verdict: Verdict? = nil, sentence: String, summary: String = "") {
        self.title = title
        self.verdict = verdict
        self.sentence = sentence
        self.summary = summary
    }
}

/// A small table of names and values.
package struct PageFacts: Sendable, Encodable {
    package var title: String
    /// Name and value, in the order in which they are to be shown.
    package var rows: [[String]]

    package init(title: String, rows: [(name: String, value: String)]) {
        self.title = title
        self.rows = rows.map { [$0.name, $0.value] }
    }
}

/// A row of the compliance table.
package struct PageRequirement: Sendable, Encodable {
    /// The id of the measurement that it judges.
    package var measurement: String
    /// "latency P95", "title read, stylized".
    package var metric: String
    /// With its unit; nil when there is none, for the reason in `note`.
    package var value: String?
    package var interval: String?
    /// "≤ 500 ms (S0-A01)".
    package var target: String
    package var status: Verdict
    package var note: String
    /// How many more samples would decide it; nil when it is decided or no number would.
    package var samplesNeeded: Int?
    package var evidence: EvidenceClass
    /// Whether missing it fails the run.
    package var gates: Bool

    package init(
        measurement: String,
        metric: String,
        value: String?,
        interval: String? = nil,
        target: String,
        status: Verdict,
        note: String = "",
        samplesNeeded: Int? = nil,
        evidence: EvidenceClass = .measured,
        gates: Bool
    ) {
        self.measurement = measurement
        self.metric = metric
        self.value = value
        self.interval = interval
        self.target = target
        self.status = status
        self.note = note
        self.samplesNeeded = samplesNeeded
        self.evidence = evidence
        self.gates = gates
    }
}
