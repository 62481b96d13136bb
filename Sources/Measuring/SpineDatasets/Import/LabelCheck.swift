import Basics

/// Tells before labels are written what loading would find wrong with them.
enum LabelCheck {
    /// Faults that a dataset with this sample would be refused for.
    static func faults(of sample: Sample) -> [String] {
        faults(of: SampleLine(sample)) { _ = SampleParser.sample(&$0) }
    }

    /// Faults that a dataset with this shelf would be refused for.
    static func faults(of shelf: Shelf) -> [String] {
        faults(of: shelf) { _ = ShelfParser.shelf(&$0) }
    }

    private static func faults(of labels: some Encodable, _ read: (inout FieldReader) -> Void) -> [String] {
        guard let line = try? JSONLine.encode(labels), let value = try? JSONParser.parse(Array(line)),
            case .object(let members) = value
        else { return ["has a number that JSON cannot hold"] }
        var fields = FieldReader(members)
        read(&fields)
        return fields.faults
    }
}
