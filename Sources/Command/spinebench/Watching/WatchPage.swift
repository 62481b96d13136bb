/// The page of a run that goes on: it loads nothing from elsewhere.
enum WatchPage {
    static let html = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>SpineBench</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/watch.css">
        <script src="/watch.js" defer></script>
        </head>
        <body>
        <main>
        <header>
        <h1 id="name">SpineBench</h1>
        <p id="phase" role="status"></p>
        <p id="about" class="soft"></p>
        <div id="progress" role="progressbar" aria-label="readings" aria-valuemin="0" hidden><i></i></div>
        <p id="counts" class="soft"></p>
        <p id="warning" class="warning" hidden></p>
        </header>
        <section aria-labelledby="alerts-title">
        <h2 id="alerts-title">Alerts</h2>
        <ul id="alerts"></ul>
        </section>
        <div id="measurements"></div>
        <noscript><p class="warning">This page shows nothing without JavaScript; spinebench watch in a terminal does.</p></noscript>
        </main>
        </body>
        </html>

        """#

    /// Colours as in the report, with the same contrasts.
    static let style = #"""
        :root {
            color-scheme: light dark;
            --page: light-dark(#f6f5f2, #131416); --card: light-dark(#fff, #1d1f22);
            --sunk: light-dark(#e4e2dc, #2e3135); --ink: light-dark(#1c1c1e, #ecebe8);
            --soft: light-dark(#5b5b60, #b0b0b4); --rule: light-dark(#dddbd5, #383b40);
            --p50: light-dark(#0072b2, #56a9e8); --p95: light-dark(#c04f00, #ff9a52);
            --memory: light-dark(#00805c, #35c79b); --battery: light-dark(#a8497d, #e59ac4);
            --good: light-dark(#0b6b4f, #6fd6b0); --bad: light-dark(#a3261b, #ffb0a6);
            --open: light-dark(#7a5200, #f2c56b); --info: light-dark(#0b57d0, #8ab4f8);
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        body { margin: 0; background: var(--page); color: var(--ink); font: 0.9375rem/1.5 system-ui, sans-serif;
            font-variant-numeric: tabular-nums; }
        main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
        h1, h2, h3, p, ul, dl, dd { margin: 0; }
        ul { padding: 0; list-style: none; }
        h1 { font-size: 1.3rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.1rem; overflow-wrap: anywhere; }
        h3 { font-size: 0.875rem; font-weight: 600; }
        .soft { color: var(--soft); }
        #phase { font-size: 1.6rem; font-weight: 600; }
        .running, .finished, .done { color: var(--good); } .stopped, .abandoned, .failed { color: var(--bad); }
        .lost, .warning { color: var(--open); }
        [role=progressbar] { height: 0.6rem; margin: 0.6rem 0 0.3rem; border-radius: 0.3rem; background: var(--sunk);
            overflow: hidden; }
        [role=progressbar] i { display: block; height: 100%; width: 0; background: var(--p50); }
        section, article { margin-top: 1.5rem; }
        article { background: var(--card); border: 1px solid var(--rule); border-radius: 0.6rem; padding: 1rem; }
        .head { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; align-items: baseline; }
        dl { display: flex; flex-wrap: wrap; gap: 0.3rem 1.8rem; margin: 0.5rem 0; }
        dt { color: var(--soft); font-size: 0.8125rem; }
        dd { font-size: 1.1rem; }
        .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: 1rem; }
        svg { display: block; width: 100%; height: 9rem; overflow: visible; }
        svg text { fill: var(--soft); font-size: 11px; }
        svg path { fill: none; stroke-width: 1.8; vector-effect: non-scaling-stroke; }
        .axis { stroke: var(--rule); stroke-width: 1; } .target { stroke: var(--open); stroke-dasharray: 4 4; }
        .p50 { stroke: var(--p50); color: var(--p50); } .p95 { stroke: var(--p95); color: var(--p95); }
        .memory { stroke: var(--memory); color: var(--memory); }
        .battery { stroke: var(--battery); color: var(--battery); }
        .key::before { content: "━ "; }
        #alerts li { padding: 0.2rem 0; border-top: 1px solid var(--rule); display: grid;
            grid-template-columns: 6rem 5rem minmax(0, 1fr); gap: 0.75rem; overflow-wrap: anywhere; }
        #alerts li > b { text-transform: capitalize; }
        .critical b { color: var(--bad); } li.warning { color: inherit; } li.warning b { color: var(--open); }
        .info b { color: var(--info); } .over b { color: var(--good); }
        """#
}
