import { expect, it } from 'vitest';
import type { Handlers } from '../../contract/calls';
import type { AnyCalls } from '../../contract/engine';
import type { Plan } from '../../domain/model/plan';
import { samplePlan } from '../../../tests/support/samplePlan';
import { SecretMask } from '../../domain/secrets/secretMask';
import { VirtualTime } from '../../../tests/support/virtualTime';
import { systemClock } from '../base/clock';
import { ConsentGrants } from './consentGrants';
import { KnownAddresses } from './knownAddresses';
import { PlanGate, permissionOf } from './planGate';

const withCommand = (program: string): Plan => samplePlan({ tokens: { command: [program] } });
const textOf = (program: string): string =>
  `before viewers connect: run "${program}" on this machine, for their tokens`;
const emptyFleet = { nodes: [], writtenOf: ({ settings }: { settings: never }) => settings } as never;
const gate = new PlanGate(
  emptyFleet,
  { kinds: () => [], mask: new SecretMask(), value: () => undefined },
  new KnownAddresses(undefined, () => undefined),
);

it('starts only the token programs that the dialog has listed, once', async () => {
  const grants = new ConsentGrants(gate, systemClock);
  const started: Array<boolean | undefined> = [];
  const handlers = {
    'runs.start': ({ allowHooks }: { readonly allowHooks?: boolean }) => {
      started.push(allowHooks);
      return { run: 'run-1' };
    },
  } as unknown as Handlers<keyof AnyCalls>;
  const start = (plan: Plan) => grants.guarding(handlers)['runs.start']({ plan, allowHooks: true });
  grants.grant(withCommand('make-tokens'), [textOf('make-tokens')]);
  await start(withCommand('other'));
  await start(withCommand('make-tokens'));
  await start(withCommand('make-tokens'));
  expect(started).toEqual([false, true, false]);
  expect(() => grants.grant(withCommand('make-tokens'), [textOf('harmless')])).toThrow('has changed meanwhile');
});

it('is for the whole program, also where it looks like a secret', async () => {
  const grants = new ConsentGrants(gate, systemClock);
  const started: Array<boolean | undefined> = [];
  const handlers = {
    'runs.start': ({ allowHooks }: { readonly allowHooks?: boolean }) => void started.push(allowHooks),
  } as unknown as Handlers<keyof AnyCalls>;
  const [harmless, evil] = ['curl http://h/?token=a', 'curl http://h/?token=$(evil|sh)'];
  grants.grant(withCommand(harmless), [textOf(harmless)]);
  await grants.guarding(handlers)['runs.start']({ plan: withCommand(evil), allowHooks: true });
  expect(started).toEqual([false]);
});

it('is valid for a minute', async () => {
  const { clock, pass } = new VirtualTime();
  const grants = new ConsentGrants(gate, clock);
  const started: Array<boolean | undefined> = [];
  const handlers = {
    'runs.start': ({ allowHooks }: { readonly allowHooks?: boolean }) => {
      started.push(allowHooks);
      return { run: 'run-1' };
    },
  } as unknown as Handlers<keyof AnyCalls>;
  const plan = withCommand('make-tokens');
  for (const ms of [59_000, 60_000]) {
    grants.grant(plan, [textOf('make-tokens')]);
    await pass(ms);
    await grants.guarding(handlers)['runs.start']({ plan, allowHooks: true });
  }
  expect(started).toEqual([true, false]);
});

it('has one permission for a start, and another for an inspection of the nodes', async () => {
  const grants = new ConsentGrants(gate, systemClock);
  const plan = samplePlan(
    { tokens: { command: ['make-tokens'] } },
    { nodes: { origin: { server: 'srs', gcLog: '/gc.log' }, audience: { tester: 'local' } } },
  );
  const seen: Array<boolean | undefined> = [];
  const take = ({ allowHooks }: { readonly allowHooks?: boolean }) => void seen.push(allowHooks);
  const handlers = grants.guarding({ 'runs.start': take, 'schedules.add': take, 'preflight.run': take } as never);
  const texts = gate.consentOf(plan, 'nodes').items.map(({ text }) => text);
  expect(texts).toEqual(['read "/gc.log" on the host of "origin", as a GC log']);
  grants.grant(plan, texts, 'nodes');
  await handlers['runs.start']({ plan, allowHooks: true });
  await handlers['schedules.add']({ plan, allowHooks: true });
  await handlers['preflight.run']({ id: 'x', plan, allowHooks: true });
  await handlers['preflight.run']({ id: 'x', plan, allowHooks: true });
  expect(seen).toEqual([false, false, true, false]);
});

it('refuses a plan with a token program that is not allowed', () => {
  const allow = (plan: Plan, allowHooks: boolean) => gate.allow(plan, permissionOf({ allowHooks }));
  expect(() => allow(withCommand('make-tokens'), false)).toThrow(/must be allowed first: .*"make-tokens"/);
  expect(() => allow(withCommand('make-tokens'), true)).not.toThrow();
  expect(() => allow(samplePlan(), false)).not.toThrow();
});
