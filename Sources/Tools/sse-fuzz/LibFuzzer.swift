/// Tests one input of libFuzzer; see `make sse-fuzz`.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    // The pieces are chosen by the bytes, so that an input that found something finds it again.
    let seed = bytes.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    if let violation = Properties.violation(bytes, seed: seed) { fatalError(violation) }
    return 0
}
