/// Tells before labels are written what loading would find wrong with them.
enum LabelCheck {
    /// What a dataset with this sample would be refused for.
    static func faults(of sample: Sample) -> [String] {
        guard let line = try? JSONLine.encode(sample) else { return ["has a number that JSON cannot hold"] }
        return SampleParser.parse(Array(line)).faults
    }

    /// What a dataset with this shelf would be refused for.
    static func faults(of shelf: Shelf) -> [String] {
        (try? JSONLine.encode(shelf)) == nil ? ["has a number that JSON cannot hold"] : []
    }
}
