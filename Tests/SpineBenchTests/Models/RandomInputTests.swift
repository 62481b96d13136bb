import OpenVINOEngine
import Testing

@testable import spinebench_tools

@Suite struct RandomInputTests {
    private func bytes(_ element: NetworkTensor.Element, count: Int, seed: UInt64 = 1) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: count)
        var random = RandomInput(seed: seed)
        bytes.withUnsafeMutableBytes { random.fill($0, element) }
        return bytes
    }

    @Test(arguments: NetworkTensor.Element.allCases)
    func everyTypeIsFilledTheSameForTheSameSeed(element: NetworkTensor.Element) {
        let count = 64 * element.byteCount
        #expect(bytes(element, count: count) == bytes(element, count: count))
        #expect(bytes(element, count: count) != bytes(element, count: count, seed: 2))
        #expect(bytes(element, count: count) != [UInt8](repeating: 0xEE, count: count))
        #expect(bytes(element, count: 0).isEmpty)
    }

    @Test func realNumbersLieFrom0To1() {
        let floats = bytes(.f32, count: 4_000).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(floats.count == 1_000)
        #expect(floats.allSatisfy { (0..<1).contains($0) })
        // The mean of 1000 numbers from a uniform distribution has a standard deviation of 0.0091.
        #expect(abs(floats.reduce(0, +) / 1_000 - 0.5) < 0.04)
        // bf16 is the upper half of f32.
        let halves = bytes(.bf16, count: 2_000).withUnsafeBytes { raw in
            raw.bindMemory(to: UInt16.self).map { Float(bitPattern: UInt32($0) << 16) }
        }
        #expect(halves.allSatisfy { (0..<1).contains($0) })
    }

    @Test(arguments: [NetworkTensor.Element.i32, .u32, .i64, .u64, .boolean])
    func whatMayBeAnIndexIs0Or1(element: NetworkTensor.Element) {
        let all = bytes(element, count: 64 * element.byteCount)
        for start in stride(from: 0, to: all.count, by: element.byteCount) {
            #expect(all[start] <= 1)
            #expect(all[(start + 1)..<(start + element.byteCount)].allSatisfy { $0 == 0 })
        }
    }
}

extension NetworkTensor.Element {
    /// Size of one in bytes.
    fileprivate var byteCount: Int {
        switch self {
        case .boolean, .i8, .u8: 1
        case .bf16, .f16, .i16, .u16: 2
        case .f32, .i32, .u32: 4
        case .f64, .i64, .u64: 8
        }
    }
}
