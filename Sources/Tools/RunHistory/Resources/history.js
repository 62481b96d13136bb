// The samples over the runs.

const data = JSON.parse(byID("data").textContent);
if (data.samples.length) byID("samples").append(explorer(data));
