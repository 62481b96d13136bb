package import SpineDatasets

extension Sample {
    /// Returns a sample with default values for all but the interesting part.
    package static func made(
        _ id: String,
        _ category: SampleCategory = .vertical,
        title: String? = nil,
        author: String? = nil,
        transcription: String? = nil,
        legible: Bool = true,
        group: String? = nil
    ) -> Sample {
        Sample(
            id: id,
            image: "images/\(id).png",
            category: category,
            title: title ?? "Title \(id)",
            author: author,
            transcription: transcription ?? title ?? "Title \(id)",
            orientation: .clockwise,
            group: group,
            legible: legible
        )
    }
}

extension Dataset {
    /// Returns a dataset of samples without a location.
    package static func made(_ samples: [Sample], path: String = "/nowhere") -> Dataset {
        Dataset(
            path: path,
            manifest: DatasetManifest(name: "made", version: "1.0", licence: "CC0-1.0"),
            digest: "sha256:00",
            samples: samples
        )
    }
}
