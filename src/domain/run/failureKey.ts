import type { FailureGroup } from '../model/run';

/** Equal for viewers that failed for the same reason. */
export const failureKey = ({ audience = '', tester, stage, cause }: Omit<FailureGroup, 'count' | 'example'>): string =>
  JSON.stringify([audience, tester, stage, cause]);
