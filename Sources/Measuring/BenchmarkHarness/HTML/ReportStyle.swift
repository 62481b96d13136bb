extension ReportPage {
    /// How the page looks: on a wide screen, on a phone, in the dark and on paper.
    ///
    /// Every text colour has a contrast of at least 4.5 : 1 on what it stands on (WCAG 2.2, 1.4.3), and every mark
    /// 3 : 1 (1.4.11). The measurements' colours follow those of Okabe and Ito (2008), which colour-blind people tell
    /// apart too, darkened on white where that needs it.
    static let style = #"""
        :root {
            color-scheme: light dark;
            --page: light-dark(#f6f5f2, #131416); --card: light-dark(#fff, #1d1f22);
            --sunk: light-dark(#f1f0ec, #26292d);
            --ink: light-dark(#1c1c1e, #ecebe8); --soft: light-dark(#5b5b60, #b0b0b4);
            --rule: light-dark(#dddbd5, #383b40);
            --edge: light-dark(#85858a, #85888e); --accent: light-dark(#0b57d0, #8ab4f8);
            --good: light-dark(#0b6b4f, #6fd6b0); --bad: light-dark(#a3261b, #ffb0a6);
            --open: light-dark(#7a5200, #f2c56b);
            --good-back: light-dark(#e0f2eb, #12342a); --bad-back: light-dark(#fbe7e4, #46201c);
            --open-back: light-dark(#fbf0d9, #3b2f14); --shadow: light-dark(#00000012, #0000);
        }
        :root[data-theme=light] { color-scheme: light; }
        :root[data-theme=dark] { color-scheme: dark; }
        .c0 { color: light-dark(#0072b2, #56a9e8); } .c1 { color: light-dark(#c04f00, #ff9a52); }
        .c2 { color: light-dark(#00805c, #35c79b); } .c3 { color: light-dark(#a8497d, #e59ac4); }
        .c4 { color: light-dark(#8a6a00, #f0c419); } .c5 { color: light-dark(#2b83b8, #9ad3f5); }
        .c6 { color: light-dark(#444, #ddd); } .c7 { color: light-dark(#6a3fb5, #b79cf0); }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
            white-space: nowrap; }
        html { scroll-padding-top: 4.2rem; -webkit-text-size-adjust: 100%; }
        body { margin: 0; background: var(--page); color: var(--ink); font: 0.9375rem/1.5 system-ui, sans-serif;
            font-variant-numeric: tabular-nums; }
        main { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem 4rem; }
        h1, h2, h3, p, ul, dl, dd, figure { margin: 0; }
        ul { padding: 0; list-style: none; }
        h1 { font-size: 1.05rem; font-weight: 600; color: var(--soft); overflow-wrap: anywhere; }
        h2 { font-size: 1.3rem; line-height: 1.25; margin-bottom: 0.8rem; overflow-wrap: anywhere; }
        h3 { font-size: 1rem; line-height: 1.35; overflow-wrap: anywhere; }
        a { color: var(--accent); }
        code { font: 0.8125rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
        .soft { color: var(--soft); }
        section { margin-top: 2.75rem; }
        button, input, select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge);
            border-radius: 0.4rem; padding: 0.3rem 0.6rem; min-height: 2.2rem; max-width: 100%; }
        button { cursor: pointer; }
        button:disabled { color: var(--soft); cursor: default; border-style: dashed; }
        ::placeholder { color: var(--soft); opacity: 1; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        summary { cursor: pointer; color: var(--soft); font-size: 0.875rem; }

        #contents { position: sticky; top: 0; z-index: 2; display: flex; gap: 1rem; align-items: center;
            justify-content: space-between; padding: 0.5rem 0; background: var(--page);
            border-bottom: 1px solid var(--rule); }
        #contents ul { display: flex; gap: 0.25rem 1.1rem; overflow-x: auto; padding: 0.25rem; min-width: 0; }
        #contents a { color: var(--soft); text-decoration: none; white-space: nowrap; font-size: 0.875rem; }
        #contents a:hover { color: var(--ink); text-decoration: underline; }
        #theme { flex: none; font-size: 0.8125rem; }

        #verdict { padding-top: 2rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.6rem;
            justify-items: start; }
        .verdict { display: flex; flex-wrap: wrap; gap: 0.7rem; align-items: center; font-size: 2.1rem;
            line-height: 1.1;
            letter-spacing: 0.01em; }
        .verdict > span:first-child { display: grid; place-items: center; width: 1.35em; height: 1.35em;
            border-radius: 50%;
            font-weight: 700; font-size: 0.85em; }
        .verdict.pass { color: var(--good); } .verdict.fail { color: var(--bad); }
        .verdict.inconclusive { color: var(--open); } .verdict.none { color: var(--soft); }
        .verdict.pass > span { background: var(--good-back); } .verdict.fail > span { background: var(--bad-back); }
        .verdict.inconclusive > span { background: var(--open-back); } .verdict.none > span { background: var(--sunk); }
        .partial { font-size: 0.9rem; letter-spacing: 0.06em; padding: 0.3rem 0.6rem; border: 2px dashed;
            border-radius: 0.4rem;
            color: var(--open); }
        .sentence { max-width: 60rem; font-size: 1.05rem; overflow-wrap: anywhere; }
        .warning { padding: 0.4rem 0.8rem; border-left: 4px solid var(--open); background: var(--open-back);
            max-width: 60rem;
            overflow-wrap: anywhere; }

        .badge { display: inline-block; padding: 0 0.5rem; border-radius: 0.35rem; font-size: 0.8125rem;
            font-weight: 600;
            white-space: nowrap; background: var(--sunk); color: var(--soft); }
        .badge.pass { background: var(--good-back); color: var(--good); }
        .badge.fail { background: var(--bad-back); color: var(--bad); }
        .badge.inconclusive { background: var(--open-back); color: var(--open); }
        .evidence { font-size: 0.75rem; color: var(--soft); border: 1px solid var(--rule); border-radius: 0.35rem;
            padding: 0 0.35rem; white-space: nowrap; }
        .evidence.modelled, .evidence.claimed, .evidence.reported { border: 1px dashed var(--edge); }
        .legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; margin-top: 0.8rem; font-size: 0.8125rem; }
        .legend div { display: flex; gap: 0.5rem; align-items: baseline; }
        .legend dd { color: var(--soft); }

        .scroll { overflow-x: auto; background: var(--card); border-radius: 0.6rem;
            box-shadow: 0 1px 3px var(--shadow); }
        table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
        th, td { padding: 0.45rem 0.8rem; text-align: left; vertical-align: top; border-top: 1px solid var(--rule);
            overflow-wrap: break-word; }
        thead th { border-top: 0; color: var(--soft); font-weight: 500; font-size: 0.8125rem; white-space: nowrap; }
        tbody th { font-weight: 500; }
        td { max-width: 26rem; }
        .targets td:is(:nth-child(3), :nth-child(4), :nth-child(5)) { white-space: nowrap; }
        td code { overflow-wrap: anywhere; }
        .differs { color: var(--open); font-size: 0.75rem; font-weight: 600; }
        .notes { margin-top: 0.8rem; list-style: disc; padding-left: 1.2rem; overflow-wrap: anywhere; }

        .plots { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr));
            margin-bottom: 1rem; }
        .plot { background: var(--card); border-radius: 0.6rem; padding: 1rem; min-width: 0; display: grid; gap: 0.6rem;
            grid-template-columns: minmax(0, 1fr); align-content: start; box-shadow: 0 1px 3px var(--shadow); }
        .plot-head { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; justify-content: space-between;
            align-items: center; }
        .choice { font-size: 0.8125rem; color: var(--soft); }
        .choice select { color: var(--ink); min-height: 1.9rem; padding: 0.1rem 0.4rem; }
        .keys { display: flex; flex-wrap: wrap; gap: 0.4rem; }
        .keys button { display: inline-flex; gap: 0.35rem; align-items: center; min-height: 1.8rem;
            padding: 0.05rem 0.6rem;
            font-size: 0.8125rem; border-color: var(--rule); border-radius: 1rem; overflow-wrap: anywhere;
            text-align: left; }
        .keys button[aria-pressed=false] { color: var(--soft); text-decoration: line-through; border-style: dashed; }
        .keys button[aria-pressed=false] svg { opacity: 0.35; }
        figcaption { font-size: 0.8125rem; color: var(--soft); overflow-wrap: anywhere; }
        .plot + .scroll { margin-top: 1rem; }
        .plot details .scroll { margin-top: 0.4rem; box-shadow: none; border: 1px solid var(--rule); }
        .canvas { min-width: 0; overflow: hidden; }
        .canvas > svg { display: block; max-width: 100%; height: auto; }
        .canvas text { font: 12px system-ui, sans-serif; font-variant-numeric: tabular-nums; fill: var(--ink); }
        .canvas .tick, .canvas .axis, .canvas .absent { fill: var(--soft); }
        .canvas .absent { font-style: italic; }
        .canvas .row-name { font-weight: 600; }
        .grid { stroke: var(--rule); }
        .mark { fill: currentColor; stroke: var(--card); stroke-width: 1; }
        .curve { fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }
        .whisker { fill: none; stroke: currentColor; stroke-width: 1.8; }
        .bar { fill: currentColor; opacity: 0.78; }
        .bar + .whisker { color: var(--ink); }
        .bar:is(.modelled, .claimed, .reported) { fill-opacity: 0.3; stroke: currentColor; stroke-width: 1.5;
            stroke-dasharray: 4 3; }
        .target line { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 6 4; }
        .canvas .target text { fill: var(--bad); }
        .front { fill: none; stroke: var(--edge); stroke-width: 1.5; stroke-dasharray: 2 3; }
        .diagonal { stroke: var(--edge); stroke-dasharray: 3 3; }
        .cursor line { stroke: var(--edge); }
        .canvas :is(.cursor, .target) text, .canvas .point { paint-order: stroke; stroke: var(--card);
            stroke-width: 4px; }

        #filters { display: flex; flex-wrap: wrap; gap: 0.6rem 0.9rem; align-items: end; padding: 0.8rem 1rem;
            background: var(--card); border-radius: 0.6rem; box-shadow: 0 1px 3px var(--shadow); }
        #filters label { display: grid; gap: 0.15rem; font-size: 0.8125rem; color: var(--soft); min-width: 0; }
        #filters :is(select, input) { color: var(--ink); font-size: 0.9375rem; max-width: 13rem; }
        #filters .grow { flex: 1 1 14rem; }
        #filters .grow input { max-width: none; width: 100%; }
        label.switch { display: flex !important; gap: 0.4rem; align-items: center; min-height: 2.2rem; }
        .switch input { min-height: 0; width: 1.1rem; height: 1.1rem; accent-color: var(--accent); margin: 0; }
        .bar-line { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center;
            justify-content: space-between;
            margin: 0.8rem 0; min-height: 2.2rem; }
        #count { font-weight: 600; }
        #pages { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; }
        .list { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
        .list > li { content-visibility: auto; contain-intrinsic-size: auto 6rem; min-width: 0; }
        .item { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0.3rem 1rem; align-items: center;
            padding: 0.6rem 0.8rem; background: var(--card); border-radius: 0.6rem; color: inherit;
            text-decoration: none;
            box-shadow: 0 1px 3px var(--shadow); }
        .item:hover { outline: 1px solid var(--edge); }
        .strip { display: grid; place-items: center; min-width: 0; }
        .strip svg { display: block; max-width: 100%; max-height: 5.5rem; width: auto; height: auto;
            border-radius: 0.2rem; }
        .strip svg.flat { width: 100%; }
        .strip svg.tall { max-height: 8rem; }
        .no-picture { font-size: 0.8125rem; color: var(--soft); border: 1px dashed var(--edge); border-radius: 0.3rem;
            padding: 0.6rem; text-align: center; }
        .item-text { display: grid; gap: 0.25rem; min-width: 0; }
        .item-head { display: flex; flex-wrap: wrap; gap: 0 0.7rem; align-items: baseline; min-width: 0; }
        .item-title { font-weight: 600; overflow-wrap: anywhere; min-width: 0; }
        .item-head code { color: var(--soft); margin-left: auto; }
        .tag { font-size: 0.75rem; padding: 0 0.4rem; border-radius: 0.3rem; background: var(--sunk);
            color: var(--soft); }
        .results { display: grid; grid-template-columns: auto auto minmax(0, 1fr) auto; gap: 0.15rem 0.6rem; }
        .result { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; align-items: baseline;
            font-size: 0.875rem; }
        .result .badge { min-width: 1.7rem; text-align: center; padding: 0 0.3rem; }
        .who { grid-column: 2; color: var(--soft); max-width: 11rem; overflow-wrap: anywhere; }
        .who svg { vertical-align: -2px; margin-right: 0.25rem; }
        .read { grid-column: 3; min-width: 0; overflow-wrap: anywhere; display: -webkit-box;
            -webkit-box-orient: vertical;
            -webkit-line-clamp: 2; overflow: hidden; }
        .result .num { grid-column: 4; text-align: right; }
        .num { font-size: 0.8125rem; }
        .flips { margin: 1.2rem 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem;
            justify-items: start; }
        .flips .list { width: 100%; }

        dialog { width: min(64rem, 100% - 1rem); max-width: none; max-height: calc(100% - 1rem); padding: 1.2rem;
            border: 0;
            border-radius: 0.8rem; background: var(--card); color: var(--ink); }
        dialog::backdrop { background: #000a; }
        .dialog-head { display: flex; flex-wrap: wrap; gap: 0.6rem; justify-content: space-between;
            align-items: start; }
        .dialog-head h2 { flex: 1 1 14rem; margin: 0; min-width: 0; }
        .buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
        .sample-facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.1rem 1rem;
            margin: 0.8rem 0;
            font-size: 0.875rem; }
        dt { color: var(--soft); }
        dd { overflow-wrap: anywhere; }
        .sample-facts dd { max-height: 9rem; overflow: auto; }
        .picture-bar { display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; align-items: center; font-size: 0.875rem; }
        .picture-bar select { min-height: 1.9rem; padding: 0.1rem 0.4rem; margin-left: -0.5rem; }
        .picture { display: grid; place-items: center; padding: 0.8rem; margin: 0.4rem 0 0.8rem;
            background: var(--sunk);
            border-radius: 0.6rem; }
        .picture svg { display: block; width: 100%; height: auto; max-height: 46vh; }
        .picture svg.tall { width: auto; height: 46vh; max-width: 100%; }
        .quad polygon { fill: #0000; stroke: #ffd60a; stroke-width: 1.5px; vector-effect: non-scaling-stroke; }
        .quad .halo { stroke: #000b; stroke-width: 4px; }
        .quad line { stroke: #ffd60a; stroke-width: 4px; vector-effect: non-scaling-stroke; }
        .quad:hover polygon:not(.halo) { fill: #ffd60a33; }
        .reading { margin-top: 1rem; padding-top: 0.8rem; border-top: 1px solid var(--rule); display: grid;
            grid-template-columns: minmax(0, 1fr); gap: 0.4rem; }
        .reading h3 { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
        .reading .scroll { box-shadow: none; border: 1px solid var(--rule); margin-top: 0.4rem; }
        .problem { color: var(--bad); overflow-wrap: anywhere; }
        .fact + .fact::before { content: " · "; white-space: pre; }
        .long { max-height: 10rem; overflow: auto; overflow-wrap: anywhere; margin-top: 0.4rem; }
        .difference { max-height: 20rem; overflow: auto; line-height: 2.6; font-size: 1.05rem;
            overflow-wrap: anywhere; }
        .run.same { white-space: pre-wrap; }
        .run:not(.same) { display: inline-grid; vertical-align: middle; line-height: 1.25; border-radius: 0.25rem;
            overflow: hidden;
            margin: 0 1px; text-align: center; max-width: 100%; border: 1px solid; }
        .run :is(del, ins) { text-decoration: none; padding: 0 0.2rem; }
        .run.missing { color: var(--bad); background: var(--bad-back); border-style: dashed; }
        .run.missing del { text-decoration: line-through; }
        .run.added { color: var(--good); background: var(--good-back); border-style: dotted; }
        .run.added ins { text-decoration: underline; }
        .run.other { color: var(--open); background: var(--open-back); }
        .run.other ins { border-top: 1px solid; }
        .key { font-size: 0.8125rem; }
        .key .run { font-size: 0.8125rem; margin: 0 0.3rem 0 0; }
        .key .run:not(:first-child) { margin-left: 0.9rem; }

        .bar.part { opacity: 1; stroke: var(--card); stroke-width: 1; }
        .devices { display: grid; gap: 0.8rem; grid-template-columns: minmax(0, 1fr); margin-top: 1rem; }
        .devices > p, .question > p { max-width: 60rem; }
        .devices details > p { margin: 0.4rem 0; font-size: 0.875rem; color: var(--soft); }
        .question { display: grid; gap: 0.6rem; grid-template-columns: minmax(0, 1fr); margin-bottom: 1.6rem; }

        .facts { display: grid; gap: 1.2rem 2rem;
            grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); }
        .facts dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.15rem 1rem;
            font-size: 0.875rem; }
        #method > p { max-width: 60rem; margin-bottom: 0.5rem; }
        #method h3 { margin: 1.2rem 0 0.5rem; }

        @media (max-width: 44rem) {
            main { padding: 0 0.75rem 3rem; }
            .verdict { font-size: 1.7rem; }
            section { margin-top: 2rem; }
            .plot { padding: 0.75rem; }
            #filters label:not(.switch) { flex: 1 1 9rem; }
            #filters :is(select, input:not([type=checkbox])) { max-width: none; width: 100%; }
            .item { grid-template-columns: minmax(0, 1fr); }
            .strip { justify-items: start; }
            .item-head code { margin-left: 0; }
            dialog { padding: 0.8rem; }
            .buttons button { flex: 1; white-space: nowrap; padding: 0.3rem 0.5rem; }
            .results { grid-template-columns: auto minmax(0, 1fr); }
            .who { max-width: none; }
            .read, .result .num { grid-column: 1 / -1; text-align: left; }
            .result { padding-top: 0.2rem; }
            .stack thead { display: none; }
            .stack tr { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; padding: 0.6rem 0.8rem;
                border-top: 1px solid var(--rule); }
            .stack tr:first-child { border-top: 0; }
            .stack :is(th, td) { border: 0; padding: 0; max-width: none; }
            .stack th { flex-basis: 100%; }
            .stack td::before { content: attr(data-name) " "; color: var(--soft); font-size: 0.8125rem; }
        }
        @media print {
            :root, :root[data-theme] { color-scheme: light; --page: #fff; --sunk: #eee; --shadow: #0000; }
            @page { margin: 14mm; }
            body { font-size: 9.5pt; }
            main { max-width: none; padding: 0; }
            #contents, #samples, .choice, .plot summary, .flips button, dialog { display: none !important; }
            section { margin-top: 1.4rem; }
            h2, h3 { break-after: avoid; }
            .plots { grid-template-columns: repeat(2, minmax(0, 1fr)); }
            .plot, .scroll { border: 1px solid var(--rule); }
            .plot, tr, .item { break-inside: avoid; }
            .scroll { overflow: visible; }
            table { font-size: 8pt; }
            th, td { padding: 0.25rem 0.4rem; }
            thead th { white-space: normal; }
            .list > li { content-visibility: visible; }
            .item { grid-template-columns: 9rem minmax(0, 1fr); }
            .read { -webkit-line-clamp: none; }
            * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }
        """#
}
