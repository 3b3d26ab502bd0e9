import { expect, it } from 'vitest';
import type { NodeView } from '../../../../domain/model/node';
import { parsePlan, planToYaml } from '../../../../domain/plan/planYaml';
import { initialForm, readForm } from '../pullForm';
import { type PullForm } from '../pullFormFields';
import { formOf } from './planForm';
import { pullPlan } from '../../../../../tests/support/pullPlan';

const node = (over: Partial<NodeView>): NodeView => ({
  ...{
    id: 'srs',
    name: 'srs',
    role: 'origin',
    server: 'srs',
    colourSlot: 1,
    state: 'live',
    reach: '',
    streams: [],
  },
  ...{ host: 'far', settings: { server: 'srs', url: 'http://192.0.2.7:1985' } },
  can: { publish: [], play: [], serves: [], measure: ['CPU', 'GC'], terminate: false, pull: ['whep'] },
  ...over,
});
const nodes = [
  node({}),
  node({
    id: 'local',
    name: 'local',
    role: 'tester',
    server: undefined,
    host: 'me',
    settings: { tester: 'local' },
  }),
];
const form: PullForm = { ...initialForm(nodes, undefined, { origin: 'srs', stream: 'cam' }), stream: 'cam' };
const expectOf = (of: PullForm) => readForm(of, nodes).plan?.expect;

it('untouched fields are rules of thumb, typed ones are expectations', () => {
  expect(expectOf(form)).toEqual({
    connected: { comparison: '>=', value: 99 },
    outages: { comparison: '<=', value: 5, ifMeasured: true },
    degraded: { comparison: '<=', value: 1, ifMeasured: true },
    cpu: { comparison: '<=', value: 80, ifMeasured: true },
    gcPause: { comparison: '<=', value: 10, ifMeasured: true },
  });
  expect(expectOf({ ...form, expect: { cpu: '80' } })?.cpu).toEqual({ comparison: '<=', value: 80 });
});

it('a plan read as text is unchanged in the form until a field is edited', () => {
  const text =
    'expect: { connected: ">= 99%", outages: "<= 30s", degraded: "<= 2% if measured", cpu: "<= 70%", gcPause: off }';
  const written = planToYaml(readForm(form, nodes).plan!).replace(/^expect:.*$/m, text);
  const { plan } = parsePlan(written);
  expect(plan.expect).toEqual({
    connected: { comparison: '>=', value: 99 },
    outages: { comparison: '<=', value: 30 },
    degraded: { comparison: '<=', value: 2, ifMeasured: true },
    cpu: { comparison: '<=', value: 70 },
  });
  const read = formOf(pullPlan(plan), nodes, form);
  expect(expectOf(read)).toEqual(plan.expect);
  expect(planToYaml(plan)).toContain(text);
  expect(expectOf({ ...read, expect: { ...read.expect, degraded: '3' } })?.degraded).toEqual({
    comparison: '<=',
    value: 3,
  });
});

it('a plan without expectations has rules of thumb, and "if measured" is refused for connected viewers', () => {
  const written = planToYaml(readForm(form, nodes).plan!).replace(/^expect:.*\n/m, '');
  expect(parsePlan(written).plan.expect).toEqual(expectOf(form));
  const strange = `${written}expect: { connected: ">= 99% if measured" }\n`;
  expect(() => parsePlan(strange)).toThrow('Viewers are always counted');
});
