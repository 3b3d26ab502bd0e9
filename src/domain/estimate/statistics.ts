/** Two-sided 95 % bounds of Student's t for 1, 2, 3 ... degrees of freedom; beyond these a simple curve is used. */
const bounds = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086,
];

/** Factor of a standard error for a 95 % interval. */
export function studentT(degreesOfFreedom: number): number {
  const whole = Math.max(1, Math.floor(degreesOfFreedom));
  return bounds[whole - 1] ?? 1.96 + 2.5 / whole;
}

/** NaN of an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}
