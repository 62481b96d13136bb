/// A sample as a line of `samples.jsonl`: a title that nobody labelled is stated as null, as the loader wants it.
package struct SampleLine: Encodable {
    package var sample: Sample

    package init(_ sample: Sample) { self.sample = sample }

    private enum Key: CodingKey { case title }

    package func encode(to encoder: any Encoder) throws {
        try sample.encode(to: encoder)
        guard sample.title == nil else { return }
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeNil(forKey: .title)
    }
}
