// Decodes the table of frames that table.py packs, and reads it at a position, on the grid or between.

import { round } from "./positions.js";

/** Undoes the differences along each axis of the grid; columns of small numbers are kept in half the memory. */
export function decode(table) {
  const { grid } = table, count = grid.reduce((a, b) => a * b, 1);
  table.columns = table.columns.map(differences => {
    const column = Int32Array.from(differences);
    for (let axis = 0, stride = count; axis < grid.length; axis++) {
      const block = stride;
      stride /= grid[axis];
      for (let i = 0; i < count; i++) if (i % block >= stride) column[i] += column[i - stride];
    }
    return column.every(number => Math.abs(number) < 2 ** 15) ? Int16Array.from(column) : column;
  });
  for (const mark of table.marks) if (isConstant(mark)) mark.constant = { ...mark, s: mark.s[0] };
  return table;
}

/** Whether a mark is the same everywhere: then it is one object in all frames. */
function isConstant({ on, look, n, told = [] }) {
  const slots = [...n, ...told.flatMap(([, ...digits]) => digits)];
  return on === undefined && look === undefined && slots.every(slot => typeof slot === "number");
}

/** The computed positions around `at` with their shares, the nearest first. */
function gridNeighbours(grid, at, rest) {
  let found = [[0, 1]];
  at.forEach((position, axis) => {
    const low = Math.min(Math.floor(position), grid[axis] - 1), share = rest ? round(position - low) : position - low;
    const next = Math.min(low + 1, grid[axis] - 1);
    found = found.flatMap(([n, part]) => [[n * grid[axis] + low, part * (1 - share)], [n * grid[axis] + next, part * share]]);
    found = found.filter(([, part]) => part > 1e-9);
  });
  return found.sort((a, b) => b[1] - a[1]);
}

/** The frame at positions `at` along the grid. Unless at `rest`, marks of one style at all neighbours are interpolated. */
export function frameAt(table, at, rest = true) {
  const around = gridNeighbours(table.grid, at, rest), [here] = around[0], { columns } = table;
  const there = (slot, n) => (typeof slot === "number" ? slot : slot[1] + columns[slot[0]][n]);
  const nearest = slot => there(slot, here);
  const between = slot => {
    if (typeof slot === "number") return slot;
    let sum = slot[1];
    for (const [n, part] of around) sum += part * columns[slot[0]][n];
    return sum;
  };
  const same = slot => slot === undefined || around.every(([n]) => there(slot, n) === nearest(slot));
  const marks = [];
  for (const mark of table.marks) {
    if (mark.constant) {
      marks.push(mark.constant);
      continue;
    }
    if (mark.on !== undefined && !nearest(mark.on)) continue;
    const moves = around.length > 1 && same(mark.on) && same(mark.look);
    const { p, k, t, l, a } = mark, s = mark.s[mark.look === undefined ? 0 : nearest(mark.look)];
    const told = mark.told?.map(([name, ...slots]) => [name, ...slots.map(nearest)]);
    marks.push({ p, k, t, l, a, s, n: mark.n.map(moves ? between : nearest), told });
  }
  return { panels: table.panels, marks, text: sentence(table.texts, nearest) };
}

function sentence({ templates, which, n }, value) {
  const [pieces, decimals] = templates[value(which)];
  return pieces[0] + decimals.map((d, i) => (value(n[i]) / 10 ** d).toFixed(d) + pieces[i + 1]).join("");
}
