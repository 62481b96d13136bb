"""Results to a table."""

from score import percentile, title_read, wilson

# Samples from which a percentile can be bounded at 99 % confidence when one more extreme value is to be seen: the least
# n with p^n <= 0.01, rounded up.
SMALLEST = {50: 7, 95: 90, 99: 459}
# The tier that the others' latency is given in.
REFERENCE = "fast"

HEADER = ("engine", "title read", "rate [95 %]", "P50 ms", "P95 ms", "P99 ms", "read only", "P50 / fast", "failed")


def table(title, results, engines):
    """One row an engine, in the given order."""
    by_engine = {name: [result for result in results if result["engine"] == name] for name in engines}
    reference = median(by_engine.get(REFERENCE, []))
    rows = [HEADER] + [row(name, of_one, reference) for name, of_one in by_engine.items()]
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(HEADER))]
    lines = [f"\n{title}: {len(by_engine[engines[0]])} samples"]
    for cells in rows:
        padded = [cell.ljust(width) if column == 0 else cell.rjust(width)
                  for column, (cell, width) in enumerate(zip(cells, widths))]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def row(name, results, reference):
    read = sum("lines" in result and title_read(result["title"], result["lines"]) for result in results)
    low, high = wilson(read, len(results))
    times = [result["milliseconds"] for result in results if "milliseconds" in result]
    bare = [result["milliseconds"] - result["decodeMilliseconds"] for result in results if "decodeMilliseconds" in result]
    middle = median(results)
    return (
        name,
        f"{read}/{len(results)}",
        f"{read / len(results):.3f} [{low:.3f}, {high:.3f}]",
        *(latency(times, percent) for percent in (50, 95, 99)),
        f"{percentile(bare, 50):.1f}" if bare else "-",
        f"{middle / reference:.2f}" if middle and reference else "-",
        str(sum("error" in result for result in results)),
    )


def median(results):
    """The P50 in milliseconds; None when nothing was read."""
    times = [result["milliseconds"] for result in results if "milliseconds" in result]
    return percentile(times, 50) if times else None


def latency(times, percent):
    """The percentile; in brackets where the samples are too few to claim it."""
    if not times:
        return "-"
    value = f"{percentile(times, percent):.1f}"
    return value if len(times) >= SMALLEST[percent] else f"({value})"
