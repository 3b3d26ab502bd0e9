import { inMeta, isJson, type Json, type Step } from './step';

const fidelities = new Map<unknown, string>([
  ['lean', 'media-only'],
  ['full', 'browser'],
]);

/** `realism` of a pull became `fidelity`. */
export const to3: Step = {
  meta: inMeta({
    view: (view) => ({ ...view, plan: isJson(view.plan) ? planOf(view.plan) : view.plan }),
    // It is compared with the shape of later runs.
    summary: (summary) =>
      typeof summary.planShape === 'string'
        ? { ...summary, planShape: summary.planShape.replaceAll('whep full, ', 'whep browser, ') }
        : summary,
  }),
};

function planOf(plan: Json): Json {
  return {
    ...plan,
    pull: pullOf(plan.pull),
    ...(Array.isArray(plan.also) ? { also: plan.also.map(pullOf) } : {}),
  };
}

function pullOf(pull: unknown): unknown {
  if (!isJson(pull) || pull.realism === undefined) return pull;
  const { realism, ...others } = pull;
  return { ...others, fidelity: fidelities.get(realism) ?? realism };
}
