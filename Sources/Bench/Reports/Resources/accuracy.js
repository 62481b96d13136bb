// The plots of accuracy: by category, against latency, against confidence.

const aimed = ["title-read", "read-in-time"];
const categories = [...new Set(figures.filter(one => !one.device).map(one => one.category))];

function byCategory() {
    const all = (id, indices = everyone) => indices.flatMap(index => categories.map(category => figure(index, id, category)))
        .filter(Boolean);
    const offered = data.metrics.filter(one => one.isOffered && all(one.id).some(figure => figure.total !== 0));
    if (!offered.length) return null;
    let chosen = offered[0];
    return plot({
        title: "Accuracy by category",
        summary: "A mark with its 95 % interval for every category and measurement.",
        note: "Illegible spines are not scored. Failed readings count as not read. Intervals are at 95 %.",
        controls: choice("Show", offered.map(one => [one.id, one.name]), value => {
            chosen = offered.find(one => one.id === value);
        }),
        draw(width, indices) {
            const { id, name } = chosen, isPercent = all(id).some(isShare), goal = aimed.includes(id) ? aim : null;
            const values = all(id, indices).flatMap(one => [one.value, one.low, one.high]).filter(value => value != null);
            const from = isPercent ? Math.max(0, Math.floor(Math.min(goal ?? 1, ...values) * 10 - 0.2) / 10) : 0;
            return rowPlot(width, categories.map(category => ({
                name: category === "all" ? "all categories" : category,
                entries: indices.map(index => {
                    const one = figure(index, id, category);
                    return { index, value: number(one), low: one?.low, high: one?.high,
                        text: isShare(one) ? `${percent(one.value)} · ${one.count}/${one.total}`
                            : number(one) == null ? one?.note ?? "–" : units.score(one.value) };
                }),
            })), { from, to: isPercent ? 1 : Math.max(0.1, ...values) * 1.05, name: isPercent ? `${name}, % of samples` : name,
                text: isPercent ? shareAxis : tickText, targets: aimed.includes(id) ? titleTargets : [] });
        },
        rows: indices => [
            ["measurement", "category", ...offered.map(one => one.name)],
            indices.flatMap(index => categories.filter(category => offered.some(one => figure(index, one.id, category)))
                .map(category => [measurements[index].id, category,
                    ...offered.map(one => figureText(figure(index, one.id, category)))])),
        ],
    });
}

function tradeOff() {
    const known = knownPercentiles();
    const offered = [95, 50, 90, 99].filter(part => known.includes(part));
    let wanted = offered[0];
    const points = indices => indices.flatMap(index => {
        const latency = figure(index, percentileID(wanted)), read = figure(index, "title-read");
        return number(latency) == null || number(read) == null ? [] : [{ index, x: latency.value, y: read.value,
            low: { x: latency.low, y: read.low }, high: { x: latency.high, y: read.high },
            memory: number(figure(index, "peak-footprint")), text: [figureText(latency), figureText(read)] }];
    });
    return offered.length && points(everyone).length ? paretoPlot({ points, latency: () => `latency P${wanted}`,
        title: "Accuracy against latency",
        controls: choice("Latency", offered.map(part => [part, `P${part}`]), value => { wanted = Number(value); }) }) : null;
}

// Wilson's interval of a share at 95 %.
function wilson({ successes, trials }) {
    const z = 1.959963984540054, share = successes / trials, scale = 1 + z * z / trials;
    const middle = (share + z * z / (2 * trials)) / scale;
    const half = z / scale * Math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials));
    return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

// Shares right by stated confidence: `key` names a measurement's calibration, `axis` says whose confidence it is.
function reliability(key, title, axis, meaning) {
    const among = everyone.filter(index => measurements[index][key]);
    if (!among.length) return null;
    const bins = index => measurements[index][key].bins.filter(bin => bin.accuracy.trials > 0).map(bin => ({
        ...wilson(bin.accuracy), confidence: bin.meanConfidence.value, right: bin.accuracy.successes / bin.accuracy.trials,
        text: `${shareText(bin.accuracy.successes, bin.accuracy.trials)} ${bounds(wilson(bin.accuracy), percent)}` }));
    const error = index => {
        const { value, absent } = measurements[index][key].expectedError;
        return value == null ? absent : units.score(value);
    };
    return plot({
        title,
        summary: "Share right against stated confidence.",
        note: `On the diagonal, 80 % of results with 80 % confidence are right; below it, the system is overconfident. `
            + `Expected calibration error: ${among.map(index => `${measurements[index].id} ${error(index)}`).join(", ")}. ${meaning}`,
        among,
        draw(width, indices) {
            const { drawing, X, Y } = axes(width, { from: 0, to: 1, name: `mean confidence (${axis}), %`, text: shareAxis },
                { from: 0, to: 1, name: "right, %", text: shareAxis });
            drawing.append(svg("line", { class: "diagonal", x1: X(0), y1: Y(0), x2: X(1), y2: Y(1) }));
            for (const index of indices) {
                drawing.append(
                    curve(index, bins(index).map((bin, at) => `${at ? "L" : "M"}${X(bin.confidence)} ${Y(bin.right)}`).join("")),
                    ...bins(index).map(bin => svg("g", null, svg("title", null, bin.text),
                        whisker(index, `M${X(bin.confidence)} ${Y(bin.low)}V${Y(bin.high)}`),
                        mark(index, X(bin.confidence), Y(bin.right)))));
            }
            return drawing;
        },
        rows: indices => [
            ["measurement", "mean confidence", "right", "expected calibration error"],
            indices.flatMap(index => bins(index).map((bin, at) => [
                measurements[index].id, percent(bin.confidence), bin.text, at ? "" : error(index)])),
        ],
    });
}
