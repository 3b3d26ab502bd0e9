/**
 * The compared conditions. With repair a viewer cannot measure loss before repair, so loss is also compared without
 * repair. `pauseMs` is applied once, in the middle.
 */
export const allConditions = [
  { name: 'nothing', way: {} },
  { name: 'loss 0.5 %', way: { lossPercent: 0.5 } },
  { name: 'loss 2 %', way: { lossPercent: 2 } },
  { name: 'loss 10 %', way: { lossPercent: 10 } },
  { name: 'jitter 10 ms', way: { jitterMs: 10 } },
  { name: 'jitter 30 ms', way: { jitterMs: 30 } },
  { name: 'loss 2 %, jitter 10 ms', way: { lossPercent: 2, jitterMs: 10 } },
  { name: 'loss 0.5 %, no repair', way: { lossPercent: 0.5, noRepair: true } },
  { name: 'loss 2 %, no repair', way: { lossPercent: 2, noRepair: true } },
  { name: 'loss 10 %, no repair', way: { lossPercent: 10, noRepair: true } },
  { name: 'pause of 1 s', way: {}, pauseMs: 1000 },
];

/** Without these a condition would inherit the previous one. */
export const losslessPath = {
  lossPercent: 0,
  burstPackets: 0,
  delayMs: 0,
  jitterMs: 0,
  reorderPercent: 0,
  noRepair: false,
  seed: 1,
};

/** Allowed deviation from the ground truth. Stalls are of all 20 viewers together. */
export const bounds = { lossPoints: 0.2, framesPerSecond: 0.5, jitterShare: 0.2, jitterMs: 1, stalls: 1 };

/** The jitter's bound is a share of the ground truth, and at least 1 ms. */
export const jitterBound = (truthMs) => Math.max(bounds.jitterMs, bounds.jitterShare * truthMs);
