import { z } from 'zod';
import { estimate } from '../domain/estimate/estimate';
import { runId } from '../domain/model/schema';

/** Estimates a larger load from a bounded calibration load. */
export const estimateCalls = {
  /** Reads a saved or active run. If no estimate is possible, the sentence of the result states why. */
  'estimate.of': { input: z.strictObject({ run: runId }), output: estimate },
} as const;
