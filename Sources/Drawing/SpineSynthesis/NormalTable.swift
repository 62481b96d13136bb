/// Normally distributed numbers at the price of a load: a table that is walked from random places.
///
/// Twelve even numbers added up are normal to within a tenth of a percent up to three deviations, and, unlike Box and
/// Muller's method, the same to the last bit on every machine. A picture has more pixels than the table has numbers;
/// each row begins at another place, so that no pattern repeats where an eye or a network could see it.
enum NormalTable {
    /// A power of two.
    static let count = 1 << 16

    /// `count` numbers of mean 0 and deviation 1, and the first few again, so that a vector can begin at any place.
    static let values: [Float] = {
        var generator = SeededGenerator(seed: 0x005E_ED0F_9015_E000)
        var values = (0..<count).map { _ in
            var sum = -6.0
            for _ in 0..<12 { sum += generator.unit() }
            return Float(sum)
        }
        values += values[..<8]
        return values
    }()
}
