import { expect, it } from 'vitest';
import type { Handlers } from '../../contract/calls';
import type { AnyCalls } from '../../contract/engine';
import type { Plan } from '../../domain/model/plan';
import { samplePlan } from '../../../tests/support/samplePlan';
import { HookGrants } from './hookGrants';
import { RunManager } from './runManager';

const withCommand = (program: string): Plan => samplePlan({ tokens: { command: [program] } });

it('starts only the token programs that the dialog has listed, once', async () => {
  const grants = new HookGrants();
  const started: Array<boolean | undefined> = [];
  const handlers = {
    'runs.start': ({ allowHooks }: { readonly allowHooks?: boolean }) => {
      started.push(allowHooks);
      return { run: 'run-1' };
    },
  } as unknown as Handlers<keyof AnyCalls>;
  const start = (plan: Plan) => grants.guarding(handlers)['runs.start']({ plan, allowHooks: true });
  grants.grant(withCommand('make-tokens'));
  await start(withCommand('other'));
  await start(withCommand('make-tokens'));
  await start(withCommand('make-tokens'));
  expect(started).toEqual([false, true, false]);
});

it('refuses a plan with a token program that is not allowed', () => {
  const require = (plan: Plan, isAllowed: boolean): void =>
    RunManager.prototype.requireAllowed.call({} as RunManager, plan, isAllowed);
  expect(() => require(withCommand('make-tokens'), false)).toThrow(/must be allowed first: .*"make-tokens"/);
  expect(() => require(withCommand('make-tokens'), true)).not.toThrow();
  expect(() => require(samplePlan(), false)).not.toThrow();
});
