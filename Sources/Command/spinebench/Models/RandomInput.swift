import Basics
import OpenVINOEngine

/// Numbers drawn at random for a network's inputs: the same for the same seed.
struct RandomInput {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(state: seed) }

    /// Fills an input.
    ///
    /// Real numbers lie in 0..<1, as a picture's do after the usual scaling; whole ones of 32 or 64 bits are 0 or 1, which
    /// most tables of words have; smaller ones take any value, as pictures and sounds in bytes do.
    ///
    /// - Parameters:
    ///   - bytes: of the input.
    ///   - element: its type.
    mutating func fill(_ bytes: UnsafeMutableRawBufferPointer, _ element: NetworkTensor.Element) {
        func write<Number>(_ type: Number.Type, _ next: (inout SplitMix64) -> Number) {
            for offset in stride(
                from: 0,
                to: bytes.count - MemoryLayout<Number>.size + 1,
                by: MemoryLayout<Number>.size
            ) {
                bytes.storeBytes(of: next(&random), toByteOffset: offset, as: type)
            }
        }
        switch element {
        case .f32: write(Float.self) { Float($0.next() >> 40) * 0x1p-24 }
        case .f64: write(Double.self) { $0.nextDouble() }
        case .f16: write(Float16.self) { Float16(Float($0.next() >> 54) * 0x1p-10) }
        // bf16 is the upper half of f32.
        case .bf16: write(UInt16.self) { UInt16((Float($0.next() >> 57) * 0x1p-7).bitPattern >> 16) }
        case .boolean: write(UInt8.self) { UInt8($0.next() >> 63) }
        case .i32, .u32: write(UInt32.self) { UInt32($0.next() >> 63) }
        case .i64, .u64: write(UInt64.self) { $0.next() >> 63 }
        case .i8, .u8: write(UInt8.self) { UInt8(truncatingIfNeeded: $0.next() >> 56) }
        case .i16, .u16: write(UInt16.self) { UInt16(truncatingIfNeeded: $0.next() >> 48) }
        }
    }
}
