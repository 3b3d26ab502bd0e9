import { sizeOf } from '../../src/domain/duration/planLength';
import { parsePlan, PlanError } from '../../src/domain/plan/planYaml';
import { consentOf, type ConsentFacts } from '../../src/domain/consent/planConsent';
import type { NodeView } from '../../src/domain/model/node';
import { sameSettings } from '../../src/domain/node/sameSettings';
import { FullhouseError, type Handlers } from '../../src/contract/calls';
import type { EngineEventName, EngineEvents } from '../../src/contract/engine';
import type { planCalls } from '../../src/contract/planCalls';
import type { consentCalls } from '../../src/contract/consentCalls';
import type { scheduleCalls } from '../../src/contract/scheduleCalls';
import type { ScheduleView } from '../../src/domain/plan/schedule';
import { consentFacts } from '../support/consentFacts';
import { foreignCluster } from './foreignPlan';

const soak = `# An hour at one size: what grows?
name: Soak 1 h
nodes:
  origin: { server: srs, url: "http://192.0.2.1:1985" }
  tester: { tester: qa@192.0.2.2 }
pull: { stream: livestream, from: origin, by: [tester], stages: [{ ramp: 200, over: 1m }, { soak: 1h }] }
stop: ["degraded > 20% for 30s"]
`;

const pattern = (pull: string): string =>
  `name: Pattern
nodes:
  origin: { server: srs, url: "http://192.0.2.1:1985" }
  tester: { tester: qa@192.0.2.2 }
pull: { stream: livestream, from: origin, by: [tester], ${pull} }
`;
const search = pattern('rate: 50/s, search: { from: 20, most: 1000 }');
const thousand = pattern('viewers: 1000, rate: 100/s, hold: 1m');

/** Plans as text, parsed like in the engine; schedules that only wait. */
export function planHandlers(
  nodes: () => readonly NodeView[],
  push: <E extends EngineEventName>(name: E, payload: EngineEvents[E]) => void,
): Handlers<keyof typeof planCalls | keyof typeof consentCalls | keyof typeof scheduleCalls> {
  let schedules: ScheduleView[] = [];
  const facts = (): ConsentFacts =>
    consentFacts({
      isOwn: (settings) => nodes().some((node) => node.settings && sameSettings(node.settings, settings)),
      clusters: new Map([['pods', foreignCluster]]),
    });
  return {
    'plan.parse': ({ yaml }) => {
      try {
        const { plan, warnings } = parsePlan(yaml);
        return { plan, warnings: [...warnings] };
      } catch (error) {
        if (error instanceof PlanError) throw new FullhouseError('bad-plan', error.message);
        throw error;
      }
    },
    'plan.presets': () => [
      ...[
        ['soak', 'Soak 1 h', 'An hour at one size: what grows?', 'Any server', soak],
        ['find', 'Find my limit', 'The largest audience that meets the expectations.', 'Any server', search],
        ['srs', 'SRS, 1,000 viewers', 'A thousand viewers for a minute.', 'SRS', thousand],
      ].map(([name = '', title = '', description = '', group = '', yaml = '']) => ({
        name,
        title,
        description,
        group,
        size: sizeOf(parsePlan(yaml).plan),
        yaml,
      })),
    ],
    'plans.consent': ({ plan }) => consentOf(plan, facts()),
    'schedules.list': () => schedules,
    'schedules.add': ({ plan, allowHooks }) => {
      if (plan.hooks?.length && !allowHooks)
        throw new FullhouseError(
          'hooks-not-allowed',
          'This plan has hooks outside of Fullhouse that must be allowed first: at end: run "notify".',
        );
      const schedule: ScheduleView = {
        id: `schedule-${schedules.length + 1}`,
        name: plan.name,
        runs: plan.schedule?.repeat ?? 1,
        done: 0,
        state: 'waiting',
        nextMs: plan.schedule?.atMs ?? 0,
      };
      schedules = [...schedules, schedule];
      push('schedules', schedules);
      return schedule;
    },
    'schedules.remove': ({ schedule }) => {
      schedules = schedules.filter(({ id }) => id !== schedule);
      push('schedules', schedules);
      return { done: true };
    },
  };
}
