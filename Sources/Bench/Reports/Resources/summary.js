// The sections that are mostly text: verdict, compliance, checks, method.

function verdict() {
    const [kind, sign, word] = {
        pass: ["pass", "✓", "PASS"], fail: ["fail", "✕", "FAIL"],
            inconclusive: ["inconclusive", "?", "INCONCLUSIVE"],
    }[head.verdict] ?? ["none", "–", "NO VERDICT"];
    return html("header", { id: "verdict" },
        head.failures?.map(text => html("p", { class: "failure" }, text)),
        html("h1", null, head.title),
        html("p", { class: "verdict " + kind }, html("span", { "aria-hidden": "true" }, sign),
            html("strong", null, word),
            head.partial && html("strong", { class: "partial" }, "PARTIAL")),
        matrix?.rows.length && matrixTable(matrix, 2, "tiers and requirements"),
        html("p", { class: "sentence" }, head.sentence),
        words?.length && html("ul", { class: "words" }, words.map(text => html("li", null, withSigns(text)))),
        head.partial && html("p", { class: "warning" }, html("span", { "aria-hidden": "true" }, "⚠ "),
            `Partial run: ${head.partial}.`),
        head.warnings.map(text => html("p", { class: "warning" },
            html("span", { "aria-hidden": "true" }, "⚠ "), text)),
        html("p", { class: "soft" }, head.summary));
}

function complianceSection() {
    if (!compliance.length) return section("compliance", "Targets", html("p", null, "No targets were set."));
    return section("compliance", "Targets", table(
        ["target", "measurement", "value", "95 % interval", "required", "status", "gates", "evidence"],
        compliance.map(row => [
            html("strong", null, row.metric), row.measurement, row.value ?? "–", row.interval ?? "–",
                row.target,
            html("span", null, badge(row.status), row.note && ` ${row.note}`),
            row.gates ? "yes" : "no", evidence(row.evidence),
        ]), { name: "targets", class: "stack targets" }), legend());
}

const legend = () => html("dl", { class: "legend" }, Object.entries(meanings).map(([kind, meaning]) =>
    html("div", null, html("dt", null, evidence(kind)), html("dd", null, meaning))));

function checksSection() {
    const rows = measurements.flatMap(measurement => measurement.checks.map(check => [
        check.rule, measurement.id, check.required, check.seen, badge(check.status,
            { pass: "kept", fail: "broken", inconclusive: "unknown" }[check.status]),
    ]));
    const notes = measurements
        .flatMap(measurement => measurement.notes.map(note => `${measurement.id}: ${note}`));
    if (!rows.length && !notes.length) return null;
    return section("checks", "Validity",
        rows.length && table(["rule", "measurement", "required", "seen", "status"], rows,
            { name: "validity rules", class: "stack" }),
        notes.length && html("ul", { class: "notes" }, notes.map(note => html("li", null, note))));
}

function methodSection() {
    const names = [...new Set(measurements.flatMap(measurement => Object.keys(measurement.settings)))]
        .sort(collator.compare);
    const settings = names.map(name => {
        const values = measurements.map(({ settings }) =>
            Object.hasOwn(settings, name) ? settings[name] : "–");
        const differs = new Set(values).size > 1;
        return [html("span", null, name, differs && html("span", { class: "differs" }, " differs")),
            ...values.map(value => html("code", null, value))];
    });
    return section("method", "Method and provenance",
        head.method.map(text => html("p", null, text)),
        html("h3", null, "Measurements"),
        table(["measurement", "variant", "tier", "scenario", "dataset", "evidence"], measurements.map(one => [
            one.id, one.variant, one.tier ?? "–", one.scenario, one.dataset, evidence(one.evidence)]),
                { name: "measurements" }),
        settings.length && html("h3", null, "Settings"),
        settings.length && table(["setting", ...measurements.map(one => one.id)], settings,
            { name: "settings" }),
        html("div", { class: "facts" }, head.provenance
            .map(facts => html("div", null, html("h3", null, facts.title),
            html("dl", null, facts.rows
                .flatMap(([name, value]) => [html("dt", null, name), html("dd", null, value)]))))));
}
