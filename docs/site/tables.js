// A field above each long table that shows the rows with all of the words typed into it.
document.addEventListener("DOMContentLoaded", () => {
    for (const table of document.querySelectorAll("article table")) {
        const rows = [...table.querySelectorAll("tbody tr")];
        if (rows.length < 20) continue;
        const field = document.createElement("input");
        const count = document.createElement("span");
        field.type = "search";
        field.placeholder = "search this table, as: ankle running";
        field.setAttribute("aria-label", "search this table");
        field.style.cssText = "width: 22em; max-width: 100%; margin: 0.5em 0.5em 0.5em 0; padding: 0.3em";
        const show = () => {
            const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
            let shown = 0;
            for (const row of rows) {
                const text = row.textContent.toLowerCase();
                row.hidden = !words.every((word) => text.includes(word));
                shown += row.hidden ? 0 : 1;
            }
            count.textContent = `${shown} of ${rows.length} rows`;
        };
        field.addEventListener("input", show);
        const box = table.closest(".table-wrapper") ?? table;
        box.before(field, count);
        show();
    }
});
