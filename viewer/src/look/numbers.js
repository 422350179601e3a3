// Numbers as people read them.

/** At most `digits` significant ones, no trailing zeros, a true minus sign; "–" for what is not a number. */
export function short(value, digits = 5) {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e6)) return exponential(value, digits);
    return minus(String(Number(value.toPrecision(digits))));
}

/**
 * Zero in the place of what is rounding beside `largest`, the greatest number it is seen with; numbers that weigh something
 * by themselves stay, whatever stands beside them. As tables of the command do (cli/table.c).
 */
export function cleaned(value, largest) {
    return Math.abs(value) < Math.min(1e-14 * largest, 1e-9) ? 0 : value;
}

function exponential(value, digits) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return minus(`${String(Number(mantissa))}e${Number(exponent)}`);
}

const minus = (text) => text.replace(/-/g, "−");

/** Decimals that tell apart a thousandth of the span. */
export function decimalsFor(span) {
    if (!(span > 0)) return 3;
    return Math.min(Math.max(3 - Math.floor(Math.log10(span)), 1), 9);
}

/** "2.5 s"; a unit of 1 goes without saying. */
export function quantity(number, unit) {
    return unit && unit !== "1" ? `${number} ${unit}` : number;
}

/** "q.elbow [rad]"; a unit of 1 goes without saying. */
export function withUnit(name, unit) {
    return unit && unit !== "1" ? `${name} [${unit}]` : name;
}
