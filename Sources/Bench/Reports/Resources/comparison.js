// The page of a comparison put together.

byID("plots").append(...(standings ?? []).map(({ title, pareto }) => pareto && paretoPlot({
    title,
    latency: () => "latency P95",
    points: indices => pareto.points.filter(({ index }) => indices.includes(index)),
})).filter(Boolean));
byID("samples").append(explorer(explored));
plots.forEach(plot => plot.redraw());
new ResizeObserver(() => plots.forEach(plot => plot.resize())).observe(byID("plots"));
document.documentElement.dataset.ready = String(Math.round(performance.now()));
