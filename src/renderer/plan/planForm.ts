import { expectationIds } from '../../domain/expectationText';
import type { NodeView } from '../../domain/node';
import { defaultExpectations, type ExpectationId, type Plan } from '../../domain/plan/plan';
import { planNodeName } from '../../domain/plan/planNodes';
import { sameSettings } from '../../domain/sameSettings';
import { formatDuration } from '../../domain/timeFormat';
import { untilStopped, type PullForm } from '../dialogs/pullForm';
import { watchable } from '../dialogs/pullNodes';
import { chosen } from '../format/numbers';
import { courseFormOf } from './courseForm';
import { extrasOf } from './extrasForm';

/** The node of the fleet that a plan means by one of its names: of the same settings, else of the same name. */
export function fleetNode(plan: Plan, name: string, nodes: readonly NodeView[]): NodeView | undefined {
  const described = plan.nodes[name];
  return (
    nodes.find((node) => described && node.settings && sameSettings(node.settings, described)) ??
    nodes.find((node) => planNodeName(node) === name)
  );
}

/** Names of the plan that nobody in the fleet answers to: a form can't show them. */
export function strangers(plan: Plan, nodes: readonly NodeView[]): readonly string[] {
  return Object.keys(plan.nodes).filter((name) => !fleetNode(plan, name, nodes));
}

/**
 * The fields that show a plan. `keepsPlace`: the plan is a pattern, such as a preset, whose nodes and stream are examples; those of `before`
 * stay. Else what the fleet does not know stays as it was.
 */
export function formOf(
  plan: Plan,
  nodes: readonly NodeView[],
  before: PullForm,
  { keepsPlace = false }: { readonly keepsPlace?: boolean } = {},
): PullForm {
  const { pull, also, hooks } = plan;
  const origin = keepsPlace ? undefined : fleetNode(plan, pull.from, nodes);
  const testers = keepsPlace ? [] : pull.by.flatMap((name) => fleetNode(plan, name, nodes) ?? []);
  const form: PullForm = {
    ...before,
    ...(origin ? { origin: origin.id, stream: pull.stream } : {}),
    ...(keepsPlace
      ? {}
      : {
          publishes: plan.publish.some(
            ({ stream, node, source }) =>
              stream === pull.stream && node === pull.from && source === 'sample-240p',
          ),
        }),
    ...(testers.length > 0 ? { testers: testers.map(({ id }) => id) } : {}),
    // An example's protocol means something only where its nodes do.
    ...(keepsPlace ? {} : { protocol: pull.protocol }),
    realism: pull.realism ?? 'lean',
    viewers: chosen(pull.viewers),
    rate: chosen(pull.ratePerSecond),
    hold: pull.holdMs === 0 ? untilStopped : formatDuration(pull.holdMs),
    course: courseFormOf(pull),
    extras: extrasOf(plan),
    rest: keepsPlace ? { hooks } : { also, hooks, weights: pull.weights },
    name: plan.name,
    // What a pattern leaves at the rule of thumb is what is usual for these nodes.
    expect: Object.fromEntries(
      expectationIds
        .filter((id) => !(keepsPlace && isRuleOfThumb(plan, id)))
        .map((id) => [id, expectText(plan, id)]),
    ),
    expectIfMeasured: Object.fromEntries(
      expectationIds.filter((id) => plan.expect[id]?.ifMeasured).map((id) => [id, expectText(plan, id)]),
    ),
    unwatched: [],
  };
  if (keepsPlace) return { ...form, unwatched: before.unwatched };
  const watched = new Set(Object.keys(plan.nodes));
  return {
    ...form,
    unwatched: watchable(form, nodes)
      .filter((node) => !watched.has(planNodeName(node)))
      .map(({ id }) => id),
  };
}

function isRuleOfThumb({ expect }: Plan, id: ExpectationId): boolean {
  return expect[id]?.value === defaultExpectations[id].value;
}

function expectText({ expect }: Plan, id: ExpectationId): string {
  const expectation = expect[id];
  return expectation ? String(expectation.value) : '';
}

/** What a plan says that has no fields of its own, one sentence each. */
export function othersOf({ also = [], weights = {} }: PullForm['rest']): readonly string[] {
  return [
    ...also.map(
      ({ stream, from, viewers, by }) =>
        `Also ${viewers} of ${stream} from ${from} by ${by.join(' and ')}: change it in the text.`,
    ),
    ...(Object.keys(weights).length > 0
      ? [
          `The split is weighted: ${Object.entries(weights)
            .map(([tester, weight]) => `${tester} ${weight}`)
            .join(', ')}.`,
        ]
      : []),
  ];
}
