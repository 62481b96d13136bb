// Draws what the server sends; texts go in as texts, never as markup.
'use strict';
const $ = (id) => document.getElementById(id);
const make = (name, attributes = {}, ...children) => {
    const isDrawing = ['svg', 'path', 'line', 'text', 'title'].includes(name);
    const node = isDrawing
        ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
};
const milliseconds = (value) => value.toFixed(value < 999.5 ? 1 : 0) + ' ms';
const megabytes = (bytes) => (bytes / 1e6).toFixed(1) + ' MB';
const percent = (value) => value.toFixed(2) + ' %/min';
const span = (seconds) => {
    if (seconds < 9.95) return seconds.toFixed(1) + ' s';
    const whole = Math.round(seconds);
    if (whole < 60) return whole + ' s';
    if (whole < 3600) return Math.floor(whole / 60) + ' min ' + whole % 60 + ' s';
    return Math.floor(whole / 3600) + ' h ' + Math.floor(whole % 3600 / 60) + ' min';
};

// Lines over the measurement's time: `lines` are [class, name, value of a point].
const plot = (title, points, lines, text, target, fromLeast) => {
    const [width, height, left, bottom] = [360, 140, 8, 18];
    const known = points.filter((point) => lines.every((line) => line[2](point) != null));
    if (!known.length) return null;
    const values = known.flatMap((point) => lines.map((line) => line[2](point)));
    let top = Math.max(...values, target ?? 0);
    const least = fromLeast ? Math.min(...values) : 0;
    if (top <= least) top = least + 1;
    const [first, last] = [known[0].seconds, known[known.length - 1].seconds];
    const x = (point) => last > first
        ? left + (point.seconds - first) / (last - first) * (width - 2 * left) : width / 2;
    const y = (value) => 16 + (1 - (value - least) / (top - least)) * (height - bottom - 22);
    const svg = make('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' },
        make('title', {}, `${title}: ` + lines.map((line) =>
            `${line[1]} ${text(line[2](known[known.length - 1]))}`).join(', ')));
    svg.append(make('line', { class: 'axis', x1: left, x2: width - left, y1: y(least), y2: y(least) }));
    svg.append(make('text', { x: left, y: 11 }, text(top)));
    svg.append(make('text', { x: left, y: height - 2 }, span(first)));
    svg.append(make('text', { x: width - left, y: height - 2, 'text-anchor': 'end' }, span(last)));
    if (target != null && target <= top) {
        svg.append(make('line', { class: 'target', x1: left, x2: width - left, y1: y(target), y2: y(target) }));
        svg.append(make('text', { x: width - left, y: 11, 'text-anchor': 'end' },
            'dashed: target ' + text(target)));
    }
    if (fromLeast) svg.append(make('text', { x: left + 2, y: y(least) - 3 }, text(least)));
    for (const [kind, , value] of lines) {
        const steps = known.map((point, index) =>
            `${index ? 'L' : 'M'}${x(point).toFixed(1)} ${y(value(point)).toFixed(1)}`);
        // One point is no line: a short one is drawn.
        if (known.length === 1) steps.push(`h6`);
        svg.append(make('path', { class: kind, d: steps.join('') }));
    }
    const keys = lines.map(([kind, name]) => make('span', { class: `key ${kind}` }, name));
    return make('div', {}, make('div', { class: 'head' }, make('h3', {}, title), ...keys), svg);
};

const card = (measurement) => {
    const head = make('div', { class: 'head' }, make('h2', {}, measurement.id),
        make('span', { class: measurement.stage }, measurement.stage));
    const of = measurement.total == null ? '' : ' of ' + measurement.total;
    head.append(make('span', { class: 'soft' }, `${measurement.done}${of} readings`
        + (measurement.secondsLeft == null ? '' : `, ${span(measurement.secondsLeft)} left`)));
    if (measurement.failed) head.append(make('span', { class: 'failed' }, `${measurement.failed} failed`));
    if (measurement.lostWorkers) {
        head.append(make('span', { class: 'failed' }, `${measurement.lostWorkers} ${measurement.lostWorkers === 1 ? 'worker' : 'workers'} lost`));
    }
    const article = make('article', {}, head);
    const figures = [
        ['P50', measurement.p50, milliseconds], ['P95', measurement.p95, milliseconds],
        ['memory now', measurement.residentBytes, megabytes], ['memory peak', measurement.peakBytes, megabytes],
    ].filter(([, value]) => value != null).map(([name, value, text]) => [name, text(value)]);
    const battery = measurement.battery;
    if (battery) {
        figures.push([`battery, modelled for ${battery.device} at one reading per second`, percent(battery.energyPercentPerMinute)]);
        figures.push(['by the seed formula, modelled', percent(battery.seedPercentPerMinute)]);
    }
    if (figures.length) {
        article.append(make('dl', {}, ...figures.map(([name, text]) =>
            make('div', {}, make('dt', {}, name), make('dd', {}, text)))));
    }
    const plots = [
        plot('Latency', measurement.series, [['p50', 'P50', (point) => point.p50],
            ['p95', 'P95', (point) => point.p95]], milliseconds, measurement.target),
        plot('Memory', measurement.series, [['memory', 'resident', (point) => point.residentBytes]],
            megabytes, null, true),
        plot('Battery', measurement.series,
            [['battery', 'energy model', (point) => point.energyPercentPerMinute]], percent, null),
    ].filter((node) => node);
    if (plots.length) article.append(make('div', { class: 'plots' }, ...plots));
    return article;
};

let latest = null;
let isLost = false;
const show = () => {
    const run = latest;
    if (!run) return;
    document.title = `${run.phase} · ${run.name}`;
    $('name').textContent = run.name;
    const phase = $('phase');
    phase.className = isLost ? 'lost' : run.phase;
    phase.textContent = (isLost ? 'no connection; last state: ' : '') + run.phase
        + (run.secondsLeft == null ? '' : `, about ${span(run.secondsLeft)} left`);
    $('about').textContent = [run.tool, run.suite && `suite ${run.suite}`, run.datasets.join(', ')]
        .filter((text) => text).join(' · ');
    const bar = $('progress');
    bar.hidden = run.total == null;
    if (run.total != null) {
        bar.setAttribute('aria-valuemax', run.total);
        bar.setAttribute('aria-valuenow', run.done);
        bar.firstElementChild.style.width = (run.total ? 100 * run.done / run.total : 100) + '%';
    }
    $('counts').textContent = `${run.done}${run.total == null ? '' : ' of ' + run.total} readings`
        + (run.elapsedSeconds == null ? '' : ` in ${span(run.elapsedSeconds)}`);
    const warnings = [];
    if (run.silentSeconds != null) {
        warnings.push(run.phase === 'stopped'
            ? `No progress for ${span(run.silentSeconds)}, and no process writes to the folder: the run was stopped or killed.`
            : `No progress for ${span(run.silentSeconds)}; the run's process is still running.`);
    }
    if (run.unreadableLines) warnings.push(`${run.unreadableLines} unreadable lines.`);
    $('warning').hidden = !warnings.length;
    $('warning').textContent = warnings.join(' ');
    const alerts = run.alertHistory.slice(-20).reverse().map((alert) => make('li',
        { class: alert.isOver ? 'over' : alert.severity },
        make('span', { class: 'soft' }, 'at ' + span(alert.seconds)),
        make('b', {}, alert.isOver ? 'over' : alert.severity), make('span', {}, alert.message)));
    $('alerts').replaceChildren(...(alerts.length ? alerts : [make('li', { class: 'soft' }, 'none')]));
    $('measurements').replaceChildren(...run.measurements.map(card));
};

// Asks for the whole state twice a second, until the run is finished.
const follow = async () => {
    try {
        const response = await fetch('/state');
        [latest, isLost] = [await response.json(), false];
    } catch {
        isLost = true;
    }
    show();
    if (isLost || latest.phase !== 'finished') setTimeout(follow, isLost ? 2000 : 500);
};
follow();
