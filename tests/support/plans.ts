import { applySet, PlanError } from '../../src/domain/plan/planYaml';

/** Partial plans for tests. */
export const head = `name: Many things
nodes:
  origin: { server: lab }
  tester-1: { tester: local }
  tester-2: { tester: qa@192.0.2.12 }
publish: [{ stream: cam, node: origin, source: sample-240p }]
`;
export const pull = 'stream: cam, from: origin, by: [tester-1, tester-2]';
export const staged = (stages: string): string => `${head}pull: { ${pull}, stages: [${stages}] }\n`;
export const plain = `${head}pull: { ${pull}, viewers: 10, rate: 5/s, hold: 10s }\n`;

/** The fault of an invalid plan. */
export function faultOf(text: string, sets: readonly string[] = []): PlanError {
  try {
    applySet(text, sets);
  } catch (error) {
    if (error instanceof PlanError) return error;
    throw error;
  }
  throw new Error('The plan was accepted.');
}
