import { expect, it } from 'vitest';
import { FakeClient } from '../../../../tests/support/fakeClient';
import { defaultRules } from '../../../domain/incidents/rules';
import type { ShellApi } from '../../../contract/shell';
import { Notices } from '../../ui/notices/notices.svelte';
import { AlertRuleStore } from './alertRuleStore';

/** A store whose rules have a command that is not allowed, and what a person sees of it. */
function storeWith(answer: boolean, waiting = 1) {
  const item = { kind: 'program' as const, path: 'cpu-high', text: 'run "notify"' };
  const now = {
    rules: [...defaultRules],
    notAllowed: Array.from({ length: waiting }, () => item),
    notAllowedDigest: '',
  };
  const engine = new FakeClient({ 'incidents.rules': () => now, 'incidents.setRules': () => now });
  const asked: string[] = [];
  const shell = {
    call: (name: string) => {
      asked.push(name);
      return Promise.resolve({ allowed: answer });
    },
  } as unknown as ShellApi;
  const notices = new Notices();
  return { store: new AlertRuleStore(engine, shell, notices), engine, notices, asked };
}

it('says at the start that something is not allowed, and asks only when the person reviews it', async () => {
  const { store, notices, asked } = storeWith(true);
  await store.check();
  expect(notices.list).toMatchObject([
    {
      tone: 'problem',
      sentence: expect.stringMatching(/^The alert rules have 1 webhook or command not allowed yet/) as string,
    },
  ]);
  expect(asked).toEqual([]);
  notices.list[0]?.action?.run();
  expect(asked).toEqual(['shell.allowAlerts']);
  notices.dispose();
});

it('says nothing when all is allowed', async () => {
  const { store, notices } = storeWith(true, 0);
  await store.check();
  expect(notices.list).toEqual([]);
});

it('asks once rules are saved, and says that what is refused is not used', async () => {
  const { store, notices, asked } = storeWith(false);
  expect(await store.save(defaultRules)).toBe(true);
  await Promise.resolve();
  await new Promise((done) => setTimeout(done, 0));
  expect(asked).toEqual(['shell.allowAlerts']);
  expect(notices.list.map(({ sentence }) => sentence)).toEqual([
    'Webhooks and commands of the alert rules that are not allowed are not used.',
  ]);
});

it('shows the failure of a webhook', () => {
  const { store, engine, notices } = storeWith(true);
  engine.push('alertProblem', { problem: 'The webhook at a failed.' });
  expect(notices.list).toMatchObject([{ tone: 'problem', sentence: 'The webhook at a failed.' }]);
  store.dispose();
  expect(engine.listenerCount).toBe(0);
});
