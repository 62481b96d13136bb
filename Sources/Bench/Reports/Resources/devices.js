// Lines over time, and the plots of devices.

// At most that number of a list, both ends among them.
const thinned = (list, most) => list.length <= most ? list
    : Array.from({ length: most }, (_, place) => list[Math.round(place * (list.length - 1) / (most - 1))]);

// Lines of any figures over one axis; what is absent leaves a gap. A level far above all lines would flatten them: it is
// named below.
function linePlot({ title, xLabel, yLabel, series, levels = [], steps = [] }) {
    const known = values => values.filter(value => value != null), all = known(series.flatMap(one => one.y));
    if (!all.length) return null;
    const top = Math.max(...all);
    const drawn = levels.filter(level => level.y <= top * 2.5 || top <= 0);
    const far = levels.filter(level => !drawn.includes(level));
    const places = [...new Set(series.flatMap(one => one.x))].sort((a, b) => a - b);
    return plot({
        title, names: series.map(one => one.name), among: series.map((_, index) => index),
        summary: `Lines of ${yLabel} over ${xLabel}.`,
        note: far.map(level => `${level.name}: ${tickText(level.y)}, outside the plot.`).join(" "),
        draw(width, indices) {
            const shown = known(indices.flatMap(index => series[index].y)).concat(drawn.map(level => level.y));
            const low = Math.min(...shown, top), high = Math.max(...shown, low);
            const spread = high > low ? (high - low) * 0.08 : Math.abs(high) * 0.5 || 0.5;
            // From zero, unless what changes is small beside it: then the axis says where it begins.
            const isFlat = low > 0 && high - low < high * 0.3;
            // One place alone stands in the middle.
            const room = places[0] < places.at(-1) ? 0 : 0.5;
            const { drawing, X, Y } = axes(width, { from: places[0] - room, to: places.at(-1) + room, name: xLabel,
                targets: steps.map(step => [step.x, step.name]) },
            { from: isFlat ? Math.floor(low - spread) : low >= 0 ? 0 : low - spread, to: high + spread, name: yLabel,
                targets: drawn.map(level => [level.y, level.name]) }, 260);
            for (const index of indices) {
                const { x, y, isStepped } = series[index];
                const last = y.findLastIndex(value => value != null);
                if (last < 0) continue;
                const path = x.map((value, place) => {
                    if (y[place] == null) return "";
                    const [across, up] = [X(value).toFixed(1), Y(y[place]).toFixed(1)];
                    return y[place - 1] == null ? `M${across} ${up}` : isStepped ? `H${across}V${up}` : `L${across} ${up}`;
                }).join("");
                drawing.append(curve(index, path), mark(index, X(x[last]), Y(y[last])));
            }
            return drawing;
        },
        rows: indices => {
            const values = indices.map(index => new Map(series[index].x
                .map((value, place) => [value, series[index].y[place]])));
            return [[xLabel, ...indices.map(index => series[index].name)],
                thinned(places, 31).map(place => [tickText(place), ...values.map(one =>
                    one.get(place) == null ? "–" : tickText(one.get(place)))])];
        },
    });
}

// Parts of a whole for each name, as bars.
function partsPlot({ title, axis, parts, bars }) {
    const used = parts.map((_, index) => index).filter(index => bars.some(bar => bar.values[index] > 0));
    if (!used.length) return null;
    const sum = values => tickText(Math.round(values.reduce((sum, value) => sum + value, 0) * 100) / 100);
    return plot({
        title, names: parts, among: used, summary: `Bars of ${axis} for each device, by part.`,
        draw: (width, indices) => rowPlot(width, bars.map(({ name, values }) => ({ name: `${name}: ${sum(values)}`,
            entries: indices.map(index => ({ index, value: values[index], text: tickText(values[index]) })) })),
        { from: 0, to: Math.max(...bars.flatMap(bar => bar.values)) * 1.05, name: axis, bars: true }),
        rows: indices => [["device", ...indices.map(index => parts[index]), "all"],
            bars.map(({ name, values }) => [name, ...indices.map(index => tickText(values[index])), sum(values)])],
    });
}

function devicePlots() {
    const panels = data.devices.map(group => grid(...group.plots.map(linePlot), partsPlot(group.energy)));
    const show = name => data.devices.forEach((group, index) => {
        if (panels[index]) panels[index].hidden = group.name !== name;
    });
    if (panels.length) show(data.devices[0].name);
    return [html("h3", null, "Half an hour, with nominal figures"),
        panels.length > 1 && choice("measurement", data.devices.map(group => [group.name, group.name]), show), panels];
}
