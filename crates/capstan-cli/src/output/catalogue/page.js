"use strict";
(function () {
  const element = function (id) { return document.getElementById(id); };
  const choices = ["domain", "kind", "effect", "origin"];
  const rows = Array.from(element("capabilities").rows).map(function (row) {
    return { row: row, text: row.textContent.toLowerCase() };
  });
  const filter = function () {
    const words = element("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = choices.filter(function (name) { return element(name).value !== ""; });
    let shown = 0;
    rows.forEach(function (it) {
      const isChosen = chosen.every(function (name) {
        return it.row.dataset[name] === element(name).value;
      });
      const isShown = isChosen ? words.every(function (word) { return it.text.includes(word); }) : false;
      it.row.hidden = !isShown;
      shown += isShown ? 1 : 0;
    });
    element("count").textContent = shown === rows.length
      ? shown + " capabilities"
      : shown + " of " + rows.length + " capabilities";
  };
  element("filter").addEventListener("input", filter);
  element("filter").addEventListener("submit", function (event) { event.preventDefault(); });
  element("filter").hidden = false;
  filter();
})();
