import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { until } from '../../../tests/support/until';
import type { AlertPayload } from '../../domain/incidents/alertActions';
import { IncidentLines, type Occurrence } from '../../domain/incidents/incidentLines';
import type { Incident } from '../../domain/incidents/incident';
import type { AlertRule } from '../../domain/incidents/rules';
import { systemClock } from '../base/clock';
import { SecretBox } from '../secrets/secretBox';
import { AlertCaller } from './alertCaller';

/** What it calls, and how often: flapping, many at once, and two rules with one webhook. */
let open = 0;
let peak = 0;
let answerAfterMs = 0;
const received: AlertPayload[] = [];
const server = createServer((request, response) => {
  let text = '';
  open += 1;
  peak = Math.max(peak, open);
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    received.push(JSON.parse(text) as AlertPayload);
    setTimeout(() => {
      open -= 1;
      response.end();
    }, answerAfterMs);
  });
});
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const problems: string[] = [];
beforeEach(() => {
  received.length = problems.length = open = peak = answerAfterMs = 0;
});

const ruleOf = (name: string): AlertRule => ({
  ...{ name, kind: 'node-lost', severity: 'critical', forMs: 0 },
  webhook: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
});
const lost = (rule: AlertRule, node: string, timeMs: number): Occurrence => ({
  ...{ rule, node, subject: node, cause: `${rule.name}|${node}`, places: [], timeMs },
  sentence: () => `${node} is lost.`,
});
const callerOf = (rules: readonly AlertRule[], firing: readonly Incident[] = [], isAllowed = () => true): AlertCaller =>
  new AlertCaller(
    {
      ...{ clock: systemClock, secrets: new SecretBox(), isAllowed },
      ...{ remark: () => undefined, problem: (sentence: string) => problems.push(sentence), released: () => undefined },
    },
    rules,
    firing,
  );
const states = (): string[] => received.map(({ state, times }) => `${state} ${times}`);

it('1,000 flaps call four times: both ends of the first, the second begin, and the end once it rests', async () => {
  const rule = ruleOf('lost');
  const lines = new IncidentLines();
  const caller = callerOf([rule]);
  let nowMs = 1_800_000_000_000;
  for (let flap = 0; flap < 1000; flap += 1) {
    caller.take(lines.begin(lost(rule, 'a', nowMs)), nowMs);
    nowMs += 10_000;
    caller.take(
      lines.end('lost|a', nowMs, () => 'a is back.'),
      nowMs,
    );
    caller.tick((id) => lines.find(id), nowMs);
    nowMs += 10_000;
  }
  expect(lines.incidents).toHaveLength(1);
  nowMs += 600_000;
  caller.tick((id) => lines.find(id), nowMs);
  expect(await until(() => received.length >= 4)).toBe(true);
  await caller.close();
  expect(states()).toEqual(['firing 1', 'resolved 1', 'firing 2', 'resolved 1000']);
});

it('calls two at a time, and reports once that too much waits', async () => {
  answerAfterMs = 20;
  const rule = ruleOf('lost');
  const lines = new IncidentLines();
  const caller = callerOf([rule]);
  const begun = Array.from({ length: 210 }, (_, place) => lines.begin(lost(rule, `node-${place}`, 1000))).flat();
  caller.take(begun, 1000);
  expect(await until(() => received.length === 202)).toBe(true);
  await caller.close();
  expect(peak).toBe(2);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/200 calls are waiting already/);
});

it('two rules with one webhook and one cause call it once', async () => {
  const [first, second] = [ruleOf('lost'), ruleOf('other')];
  const lines = new IncidentLines();
  const caller = callerOf([first, second]);
  const place = { places: ['host|a'] };
  caller.take(lines.begin({ ...lost(first, 'a', 1000), ...place }), 1000);
  caller.take(lines.begin({ ...lost(second, 'a', 1500), ...place }), 1500);
  expect(await until(() => received.length === 1)).toBe(true);
  await caller.close();
  expect(states()).toEqual(['firing 1']);
});

it('an incident that was firing before a restart is resolved too', async () => {
  const rule = ruleOf('lost');
  const lines = new IncidentLines();
  lines.begin(lost(rule, 'a', 1000));
  const caller = callerOf([rule], lines.incidents);
  caller.take(
    lines.end('lost|a', 5000, () => 'a is back.'),
    5000,
  );
  expect(await until(() => received.length === 1)).toBe(true);
  await caller.close();
  expect(states()).toEqual(['resolved 1']);
});

it('what was firing for a rule that is removed is resolved, and nothing more is called for it', async () => {
  const rule = ruleOf('lost');
  const lines = new IncidentLines();
  const caller = callerOf([rule]);
  caller.take(lines.begin(lost(rule, 'a', 1000)), 1000);
  caller.setRules([]);
  caller.take(
    lines.end('lost|a', 5000, () => 'Switched off.'),
    5000,
  );
  caller.take(lines.begin(lost(rule, 'a', 6000)), 6000);
  expect(await until(() => received.length === 2)).toBe(true);
  await caller.close();
  expect(states()).toEqual(['firing 1', 'resolved 1']);
});

it('the end of what comes and went is sent after a restart, once it rests', async () => {
  const rule = ruleOf('lost');
  const lines = new IncidentLines();
  for (const timeMs of [1000, 9000]) {
    lines.begin(lost(rule, 'a', timeMs));
    lines.end('lost|a', timeMs + 4000, () => 'a is back.');
  }
  const caller = callerOf([rule], lines.incidents);
  for (const nowMs of [14_000, 612_000, 613_000, 614_000]) caller.tick((id) => lines.find(id), nowMs);
  expect(await until(() => received.length === 1)).toBe(true);
  await caller.close();
  expect(states()).toEqual(['resolved 2']);
});

it('what begins while it is muted is not said, and the next begin is; the end of what was said is, also muted', async () => {
  const rule = ruleOf('lost');
  const lines = new IncidentLines();
  const caller = callerOf([rule]);
  const begin = (timeMs: number): void => caller.take(lines.begin(lost(rule, 'a', timeMs)), timeMs);
  const end = (timeMs: number): void =>
    caller.take(
      lines.end('lost|a', timeMs, () => 'a is back.'),
      timeMs,
    );
  begin(1000);
  lines.mute(lines.incidents[0]?.id ?? '', 20_000);
  end(2000);
  begin(3000);
  end(4000);
  lines.mute(lines.incidents[0]?.id ?? '', undefined);
  begin(5000);
  lines.acknowledge(lines.incidents[0]?.id ?? '', 5500);
  end(6000);
  caller.tick((id) => lines.find(id), 606_000);
  expect(await until(() => received.length === 4)).toBe(true);
  await caller.close();
  expect(states()).toEqual(['firing 1', 'resolved 1', 'firing 3', 'resolved 3']);
});

it('what no rule has is forgotten once its end was sent, and so is an incident that is no longer in the list', async () => {
  const rule = ruleOf('lost');
  const lines = new IncidentLines();
  const caller = callerOf([rule]);
  caller.take(lines.begin(lost(rule, 'a', 1000)), 1000);
  caller.setRules([]);
  caller.tick((id) => lines.find(id), 2000);
  expect(caller.actions).toHaveLength(1);
  caller.tick(() => undefined, 3000);
  expect(caller.actions).toEqual([]);
  await caller.close();
});

it('what begins before it is allowed is not said, neither its end; the next begin is', async () => {
  let isAllowed = false;
  const rule = ruleOf('lost');
  const lines = new IncidentLines();
  const caller = callerOf([rule], [], () => isAllowed);
  caller.take(lines.begin(lost(rule, 'a', 1000)), 1000);
  isAllowed = true;
  caller.take(
    lines.end('lost|a', 5000, () => 'a is back.'),
    5000,
  );
  caller.take(lines.begin(lost(rule, 'a', 9000)), 9000);
  expect(await until(() => received.length === 1)).toBe(true);
  await caller.close();
  expect(states()).toEqual(['firing 2']);
});
