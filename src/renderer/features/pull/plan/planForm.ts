import type { NodeView } from '../../../../domain/model/node';
import { expectationIds, defaultExpectations, type ExpectationId, type Plan } from '../../../../domain/model/plan';
import type { PullPlan } from '../../../../domain/model/publisherGroup';
import { formOptions } from '../../../../domain/model/options';
import { only } from '../../../../domain/plan/fields/fields';
import { publishesSample } from '../../../../domain/plan/pullRules';
import { planNodeName } from '../../../../domain/plan/planNodes';
import { sameSettings } from '../../../../domain/node/sameSettings';
import { formatDuration } from '../../../../domain/text/timeFormat';
import { untilStopped } from '../pullForm';
import { type PullForm } from '../pullFormFields';
import { observableNodes } from '../pullNodes';
import { chosen } from '../../../ui/format/numbers';
import { audienceFormOf } from './audienceForm';
import { loadProfileFormOf } from './loadProfileForm';
import { networkFormOf } from './networkForm';
import { turnFormOf } from './turnForm';
import { conditionsOf } from './conditionsForm';
import { namedBy } from './planName';

/** The node of the fleet for a name in a plan: same settings, else same name. */
function fleetNode(plan: Plan, name: string, nodes: readonly NodeView[]): NodeView | undefined {
  const described = plan.nodes[name];
  return (
    nodes.find((node) => described && node.settings && sameSettings(node.settings, described)) ??
    nodes.find((node) => planNodeName(node) === name)
  );
}

/**
 * The fields that show a plan. `keepsPlace`: the plan is a preset whose nodes and stream are examples; those of
 * `before` stay. Else content unknown to the fleet is kept.
 */
export function formOf(
  plan: PullPlan,
  nodes: readonly NodeView[],
  before: PullForm,
  { keepsPlace = false }: { readonly keepsPlace?: boolean } = {},
): PullForm {
  const { pull, also = [], hooks } = plan;
  const origin = keepsPlace ? undefined : fleetNode(plan, pull.from, nodes);
  const testers = keepsPlace ? [] : pull.by.flatMap((name) => fleetNode(plan, name, nodes) ?? []);
  const known = keepsPlace
    ? []
    : also.flatMap((each) => {
        const node = fleetNode(plan, each.from, nodes);
        return node ? [{ each, origin: node }] : [];
      });
  const unknown = also.filter((each) => !known.some((other) => other.each === each));
  const form: PullForm = {
    ...before,
    ...(origin ? { origin: origin.id, stream: pull.stream } : {}),
    ...(keepsPlace
      ? {}
      : {
          publishes: publishesSample(plan, pull),
        }),
    ...(testers.length > 0 ? { testers: testers.map(({ id }) => id) } : {}),
    // An example's protocol applies only with its nodes.
    ...(keepsPlace ? {} : { protocol: pull.protocol }),
    options: only(pull, formOptions),
    network: networkFormOf(pull.network),
    turn: turnFormOf(pull.turn),
    viewers: chosen(pull.viewers),
    rate: chosen(pull.ratePerSecond),
    hold: pull.holdMs === 0 ? untilStopped : formatDuration(pull.holdMs),
    loadProfile: loadProfileFormOf(pull),
    extras: conditionsOf(plan),
    also: known.map(({ each, origin: from }) => audienceFormOf(each, from, pull)),
    rest: keepsPlace ? { hooks } : { also: unknown.length > 0 ? unknown : undefined, hooks, weights: pull.weights },
    // Rules of thumb in a preset become the defaults for these nodes.
    expect: Object.fromEntries(
      expectationIds.filter((id) => !(keepsPlace && isRuleOfThumb(plan, id))).map((id) => [id, expectText(plan, id)]),
    ),
    expectIfMeasured: Object.fromEntries(
      expectationIds.filter((id) => plan.expect[id]?.ifMeasured).map((id) => [id, expectText(plan, id)]),
    ),
    unobserved: [],
  };
  const named = namedBy(plan, form);
  if (keepsPlace) return { ...form, named, unobserved: before.unobserved };
  const observed = new Set(Object.keys(plan.nodes));
  return {
    ...form,
    named,
    unobserved: observableNodes(form, nodes)
      .filter((node) => !observed.has(planNodeName(node)))
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

/** Plan content without fields, one sentence each. */
export function othersOf({ also = [], weights = {} }: PullForm['rest']): readonly string[] {
  return [
    ...also.map(
      ({ stream, from, viewers, by }) =>
        `Also pulls ${viewers} of ${stream} from ${from} by ${by.join(' and ')}: edit it in the YAML.`,
    ),
    ...(Object.keys(weights).length > 0
      ? [
          `Split by weight: ${Object.entries(weights)
            .map(([tester, weight]) => `${tester} ${weight}`)
            .join(', ')}.`,
        ]
      : []),
  ];
}
