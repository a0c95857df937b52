// What the marks of a frame report: the panel in words, and the rows of the table of numbers.

/** A reported value, whole * 10^power, without trailing zeros. */
function reportedText([number, power]) {
  const size = String(Math.abs(number)).length - 1, bare = text => text.replace(/\.?0+$/, "");
  let text = power < 0 ? bare((number / 10 ** -power).toFixed(-power)) : String(number * 10 ** power);
  if (number && !(size + power > -4 && size + power < 7)) text = `${bare((number / 10 ** size).toFixed(2))}e${size + power}`;
  return text.replaceAll("-", "\u2212");
}

/** A panel in words made from its marks. */
export function description(frame, p) {
  const { name, x, y } = frame.panels[p], parts = new Map();
  for (const mark of frame.marks) {
    if (mark.p !== p || mark.s.axis || mark.a || mark.t === "text") continue;
    const values = (mark.told ?? []).map(([what, ...value]) => `${what} ${reportedText(value)}`).join(", ");
    if (values || !mark.l) parts.set(mark.k, values ? `${mark.k}: ${values}` : mark.k);
  }
  return `${name}${x ? `, ${x} across` : ""}${y ? `, ${y} up` : ""}. ${[...parts.values()].join("; ")}.`;
}

/** The rows of "Show the numbers": the values that the marks of one link report, side by side. */
export function numbers(frame) {
  const rows = new Map();
  for (const mark of frame.marks) {
    if (!mark.told || mark.a) continue;
    const key = mark.l || mark.k, row = rows.get(key) ?? {};
    for (const [what, ...value] of mark.told) row[what] = reportedText(value);
    rows.set(key, row);
  }
  return rows;
}
