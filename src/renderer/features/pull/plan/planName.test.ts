import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { NodeView } from '../../../../domain/model/node';
import type { Plan } from '../../../../domain/model/plan';
import { parsePlan } from '../../../../domain/plan/planYaml';
import { initialForm, readForm } from '../pullForm';
import type { PullForm } from '../pullFormFields';
import { formOf } from './planForm';
import { pullPlan } from '../../../../../tests/support/pullPlan';

const node = (id: string, over: Partial<NodeView>): NodeView => ({
  ...{ id, name: id, role: 'origin', colourSlot: 1, state: 'live', reach: '', host: 'me', streams: [], builtIn: true },
  ...over,
});
const nodes = [node('lab', { server: 'lab' }), node('local', { role: 'tester' })];
const preset = (name: string): Plan =>
  parsePlan(readFileSync(join(__dirname, '../../../../../assets/presets', `${name}.yaml`), 'utf8')).plan;
const formOfPreset = (name: string): PullForm =>
  formOf(pullPlan(preset(name)), nodes, initialForm(nodes, undefined), { keepsPlace: true });
const nameOf = (form: PullForm): string | undefined => readForm(form, nodes).plan?.name;

it.each(['smoke-10', 'spike', 'soak-1h'])('a preset keeps its name as it is: %s', (name) => {
  expect(nameOf(formOfPreset(name))).toBe(preset(name).name);
});

it.each<[string, Partial<PullForm>]>([
  ['its viewers', { viewers: '20' }],
  ['its rate', { rate: '3' }],
  ['its hold', { hold: '5 min' }],
  ['its network', { network: { ...initialForm(nodes, undefined).network, choice: '3g' } }],
])('a preset is no longer the one of that name with a change of %s', (_, change) => {
  const form = formOfPreset('smoke-10');
  expect(nameOf({ ...form, ...change })).toBe('Smoke test with 10 viewers, changed');
  expect(nameOf({ ...form, ...change, ...form })).toBe('Smoke test with 10 viewers');
});

it('keeps its name on another stream, with other expectations', () => {
  const form = { ...formOfPreset('smoke-10'), stream: 'other', expect: { connected: '90' } };
  expect(nameOf(form)).toBe('Smoke test with 10 viewers');
});

it('is changed once, however often a run of it is changed', () => {
  const changed = readForm({ ...formOfPreset('smoke-10'), viewers: '20' }, nodes).plan;
  const again = formOf(pullPlan(changed as Plan), nodes, initialForm(nodes, undefined));
  expect(nameOf(again)).toBe('Smoke test with 10 viewers, changed');
  expect(nameOf({ ...again, viewers: '30' })).toBe('Smoke test with 10 viewers, changed');
});

it('follows the load where it was generated', () => {
  const plan = readForm({ ...initialForm(nodes, undefined), viewers: '100' }, nodes).plan as Plan;
  expect(plan.name).toBe('Pull 100');
  const form = formOf(pullPlan(plan), nodes, initialForm(nodes, undefined));
  expect(nameOf({ ...form, viewers: '200' })).toBe('Pull 200');
});
