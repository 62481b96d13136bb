/// McNemar's test: whether two systems that read the same samples are right equally often.
///
/// Only the samples that one of them reads right and the other wrong count. If both are equally good, each such sample
/// goes either way with chance ½.
///
/// `b` is how many only the first reads right, `c` how many only the second does. Samples are taken for independent;
/// several spines from one photo are not.
package enum McNemar {
    /// The two-sided exact p value; 1 without a sample on which they differ.
    package static func exactP(b: Int, c: Int) -> Double {
        min(1, 2 * Binomial(n: b + c, p: 0.5).cumulative(min(b, c)))
    }

    /// The two-sided mid-p value: the exact one less the chance of what was seen, as the exact test errs on the safe side.
    ///
    /// Source: Fagerland, Lydersen, Laake, "The McNemar test for binary matched-pairs data", BMC Medical Research
    /// Methodology 13 (2013), 91.
    package static func midP(b: Int, c: Int) -> Double {
        if b == c { return 1 }
        let (fewer, all) = (min(b, c), Binomial(n: b + c, p: 0.5))
        return all.cumulative(fewer) + all.cumulative(fewer - 1)
    }

    /// The one-sided exact p value for the second being worse: the chance of `b` or more if both are equally good.
    package static func exactPWorse(b: Int, c: Int) -> Double {
        Binomial(n: b + c, p: 0.5).upperTail(b)
    }
}
