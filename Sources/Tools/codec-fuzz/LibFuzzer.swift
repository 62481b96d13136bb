/// Tests one input of libFuzzer; see `make codec-fuzz`.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let violation = CodecProperties.violation(Array(UnsafeBufferPointer(start: start, count: count))) {
        fatalError(violation)
    }
    return 0
}
