extension ContactSheetPage {
    /// How the page looks: on a wide screen, on a phone, in the dark and on paper.
    ///
    /// Every text colour has a contrast of at least 4.5 : 1 on what it stands on (WCAG 2.2, 1.4.3). The colours of the
    /// roles are those of Okabe and Ito (2008), told apart by colour-blind people too.
    static let style = #"""
        :root {
            color-scheme: light dark;
            --page: #f3f1ec; --card: #fff; --ink: #1b1b1b; --soft: #595959; --tag: #ececec; --rule: #8a8a8a;
            --accent: #0b57d0; --on-accent: #fff; --alarm: #a3221a;
            --title: #e69f00; --author: #56b4e9; --publisher: #009e73; --series: #f0e442; --sticker: #cc79a7;
            --other: #fff;
        }
        @media (prefers-color-scheme: dark) {
            :root {
                --page: #141517; --card: #202225; --ink: #e9e7e4; --soft: #b4b4b4; --tag: #33363a; --rule: #85888c;
                --accent: #8ab4f8; --on-accent: #10131a; --alarm: #f5b0aa;
            }
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        body { margin: 0; padding: 1rem; background: var(--page); color: var(--ink);
            font: 0.9375rem/1.4 system-ui, sans-serif; }
        h1, h2, p, ul, ol { margin: 0; }
        h1 { font-size: 1.4rem; }
        h2 { font-size: 1rem; line-height: 1.25; overflow-wrap: anywhere; }
        ul, ol { padding: 0; list-style: none; }
        code { font: 0.8125rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
        header p { color: var(--soft); max-width: 60rem; overflow-wrap: anywhere; }
        button, input, select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--rule);
            border-radius: 0.3rem; padding: 0.3rem 0.5rem; min-height: 2.2rem; }
        button { cursor: pointer; }
        button:disabled { color: var(--soft); cursor: default; border-style: dashed; }
        ::placeholder { color: var(--soft); opacity: 1; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

        #panel { margin: 1rem 0; padding: 0.6rem 0.8rem; background: var(--card); border-radius: 0.5rem; }
        summary { font-weight: 600; cursor: pointer; }
        #filters { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: end; margin-top: 0.6rem; }
        #filters label, fieldset { display: grid; gap: 0.15rem; font-size: 0.8125rem; color: var(--soft); }
        #filters select, #filters input { color: var(--ink); font-size: 0.9375rem; max-width: 14rem; }
        #filters input[type=search] { width: 14rem; }
        #filters input[type=number] { width: 5rem; }
        fieldset { border: 0; padding: 0; margin: 0; min-width: 0; grid-auto-flow: column; align-items: center; }
        legend { padding: 0; }
        #filters .switch { display: flex; gap: 0.4rem; align-items: center; min-height: 2.2rem; color: var(--ink); }
        .switch input { min-height: 0; width: 1.1rem; height: 1.1rem; accent-color: var(--accent); }
        #legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; margin-top: 0.6rem; font-size: 0.8125rem; }
        .swatch { display: inline-block; width: 1.1rem; height: 0.75rem; margin-right: 0.35rem; vertical-align: -0.05rem;
            border: 3px solid; outline: 1px solid #000; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        .swatch.outline { border: 2px dashed #fff; background: #555; }
        .swatch.title { border-color: var(--title); } .swatch.author { border-color: var(--author); }
        .swatch.publisher { border-color: var(--publisher); } .swatch.series { border-color: var(--series); }
        .swatch.sticker { border-color: var(--sticker); } .swatch.other { border-color: var(--other); }
        .bar { position: sticky; top: 0; z-index: 1; padding: 0.5rem 0; background: var(--page); }
        .bar, nav { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; }
        #count { font-weight: 600; }

        #cards { scroll-margin-top: 3.5rem; display: grid; gap: 0.8rem; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); }
        .card { content-visibility: auto; contain-intrinsic-size: auto 16rem; display: grid; gap: 0.6rem;
            align-content: start; padding: 0.6rem; background: var(--card); border-radius: 0.5rem; cursor: pointer;
            min-width: 0; }
        .card.spine:has(.open > .tall) { grid-template-columns: auto minmax(0, 1fr); }
        .card.shelf { grid-column: 1 / -1; }
        @media (min-width: 50rem) { .card.shelf { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); } }
        .open { display: grid; place-items: center; min-width: 0; padding: 0; border: 0; background: none; }
        .open svg { display: block; width: 100%; height: auto; max-height: 15rem; }
        .open svg.tall { width: auto; max-width: 8.5rem; height: 19rem; max-height: none; }
        .shelf .open svg { width: 100%; height: auto; max-width: none; max-height: 70vh; }
        .facts { display: grid; gap: 0.2rem; align-content: start; min-width: 0; }
        .facts p { overflow-wrap: anywhere; }
        .tags { display: flex; flex-wrap: wrap; gap: 0.25rem; }
        .tags li { padding: 0 0.4rem; border-radius: 0.25rem; background: var(--tag); font-size: 0.8125rem; }
        .warning, .fault { color: var(--alarm); }
        .fault { padding: 1rem 0.6rem; border: 2px dashed; border-radius: 0.3rem; text-align: left;
            overflow-wrap: anywhere; }
        .text { font-size: 0.875rem; }
        .small { font-size: 0.8125rem; color: var(--soft); }
        .figure { display: inline-block; max-width: 100%; }
        .figure:not(:last-child)::after { content: "\a0· "; white-space: pre; }
        .books { columns: 13rem; list-style: decimal; padding-left: 2rem; font-size: 0.875rem; }
        .books li { break-inside: avoid; overflow-wrap: anywhere; }

        .mark polygon, .mark line { fill: none; vector-effect: non-scaling-stroke; stroke-width: 1px; }
        .mark polygon { fill: #0000; }
        .mark .halo { stroke: #000a; stroke-width: 2.5px; }
        .mark .begin { stroke-width: 3px; }
        #large-picture .mark polygon { stroke-width: 1.5px; }
        #large-picture .mark .halo { stroke-width: 3.5px; }
        #large-picture .mark .begin { stroke-width: 4px; }
        .mark.outline > :not(.halo) { stroke: #fff; stroke-dasharray: 5 4; }
        .line.title > :not(.halo) { stroke: var(--title); } .line.author > :not(.halo) { stroke: var(--author); }
        .line.publisher > :not(.halo) { stroke: var(--publisher); }
        .line.series > :not(.halo) { stroke: var(--series); }
        .line.sticker > :not(.halo) { stroke: var(--sticker); } .line.other > :not(.halo) { stroke: var(--other); }
        .mark.number { fill: #fff; stroke: #000; stroke-width: 0.25em; paint-order: stroke; text-anchor: middle;
            dominant-baseline: middle; font-weight: 700; }
        .no-lines .mark.line, .no-outline .mark.outline { display: none; }

        dialog { width: min(72rem, 100% - 1rem); max-height: calc(100% - 1rem); padding: 1rem; border: 0;
            border-radius: 0.6rem; background: var(--card); color: var(--ink); }
        dialog::backdrop { background: #000b; }
        dialog .head { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: start; justify-content: space-between; }
        dialog p { margin-top: 0.5rem; }
        dialog .head h2 { flex: 1 1 14rem; font-size: 1.2rem; }
        #large-picture svg { display: block; margin: 0.8rem auto; max-width: 100%; max-height: 62vh; width: 100%;
            height: auto; }
        #large-picture svg.tall { width: auto; height: 62vh; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; margin-top: 0.8rem; font-size: 0.875rem; width: 100%; }
        caption { text-align: left; font-weight: 600; padding: 0.2rem 0; }
        th, td { padding: 0.2rem 0.6rem 0.2rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--tag);
            overflow-wrap: anywhere; }
        .wide :is(th, td) { overflow-wrap: normal; min-width: 3.2rem; }
        .wide td:last-child { white-space: nowrap; }
        tbody th { width: 11rem; }
        th { font-weight: 500; color: var(--soft); }

        @media (max-width: 40rem) {
            body { padding: 0.6rem; }
            #filters label { flex: 1 1 45%; }
            #filters select, #filters input[type=search] { width: 100%; max-width: none; }
            #filters label:first-child { flex-basis: 100%; }
            dialog { padding: 0.7rem; }
            tbody th { width: 7rem; }
        }
        @media print {
            :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --soft: #444; --tag: #eee;
                --alarm: #a3221a; }
            body { padding: 0 1px; font-size: 9pt; }
            .bar { position: static; }
            #filters, #pages, summary, dialog { display: none !important; }
            #panel { margin: 0; padding: 0; }
            #cards { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 4mm; }
            .card { content-visibility: visible; break-inside: avoid; border: 1px solid #999; padding: 2mm; }
            .spine .open svg.tall { height: 55mm; max-width: 24mm; }
            .shelf .open svg { max-height: 95mm; }
            svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }
        """#
}
