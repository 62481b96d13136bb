import CaptureReading

/// Provider of a person's activity by the motion recorded with a capture; it asks no service.
struct ActivityProvider: EnrichmentProvider {
    let id = "activity"
    var limit = Duration.seconds(1)

    func applies(to query: EnrichmentQuery) -> Bool { query.motion != nil }

    func enrich(_ query: EnrichmentQuery) async throws -> EnrichmentData? {
        guard let activity = query.motion.flatMap(ActivityClassifier.activity) else { return nil }
        var data = EnrichmentData()
        data.activityContext = activity
        return data
    }
}
