// Values of a control and positions along its grid.

export const round = position => Math.round(position);
export const clamp = (low, value, high) => Math.min(high, Math.max(low, value));

/** The parameter's value at a position; between grid values only a slider has any. */
export function valueAt({ kind, values, log }, position) {
  if (kind !== "slider" || Number.isInteger(position)) return values[round(position)];
  const [low, high] = [values[0], values.at(-1)], share = position / (values.length - 1);
  return log ? low * (high / low) ** share : low + (high - low) * share;
}

/** The position at which a slider has `value`, within its ends. */
export function positionOf({ values, log }, value) {
  const [low, high] = [values[0], values.at(-1)];
  const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return clamp(0, Number.isNaN(share) ? 0 : share, 1) * (values.length - 1);
}

/** The computed position of a value as text, or undefined where it is none of this control's. */
export function positionNamed(parameter, text) {
  const { kind, values } = parameter;
  if (kind === "slider") {
    const value = Number(text);
    return text !== "" && value >= values[0] && value <= values.at(-1) ? round(positionOf(parameter, value)) : undefined;
  }
  const found = values.findIndex(value => String(value) === String(text));
  return found < 0 ? undefined : found;
}
