// The page of a comparison put together.

const page = JSON.parse(byID("data").textContent);
byID("samples").append(explorer(page.explorer));
document.documentElement.dataset.ready = String(Math.round(performance.now()));
