// The elements that the tabulator key stops at although nothing can be done there.
function idleTabStops() {
  const acts = "a[href], area[href], button, input, select, textarea, summary, [role=application], [role=button], [role=tab]";
  return [...document.querySelectorAll("*")].filter((each) => each.tabIndex >= 0 && each.getClientRects().length > 0 && !each.matches(acts) &&
    each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight).map((each) => each.outerHTML.slice(0, 120).replace(/\s+/g, " "));
}
