import type { Audience } from '../../../../domain/model/plan';
import type { PullPlan } from '../../../../domain/model/publisherGroup';
import type { PullForm } from '../pullFormFields';

type Load = Pick<PullForm, 'viewers' | 'rate' | 'hold' | 'loadProfile' | 'options' | 'network' | 'turn' | 'also'>;

/** The name that a form keeps of its plan; undefined for a generated one, which follows the load. */
export function namedBy({ name, pull }: PullPlan, form: Load): PullForm['named'] {
  return name === generatedName(pull) ? undefined : { name, load: loadKey(form) };
}

/** The name of a form's plan. With another load it is not the plan, e.g. a preset, of that name. */
export function planName(form: Load & Pick<PullForm, 'named'>, pull: Parameters<typeof generatedName>[0]): string {
  if (!form.named) return generatedName(pull);
  const { name, load } = form.named;
  return load === loadKey(form) ? name : `${name.replace(/, changed$/, '')}, changed`;
}

/** Equal for forms of the same load, wherever it is pulled from. */
function loadKey({ viewers, rate, hold, loadProfile, options, network, turn, also }: Load): string {
  const others = also.map((each) => [each.viewers, each.rate, each.network]);
  return JSON.stringify([viewers, rate, hold, loadProfile, options, network, turn, others]);
}

function generatedName({ viewers, stages, search }: Pick<Audience, 'viewers' | 'stages' | 'search'>): string {
  if (search) return 'Find the limit';
  const [first] = stages?.filter(({ kind }) => kind !== 'ramp' && kind !== 'hold') ?? [];
  return first ? `${first.kind.charAt(0).toUpperCase()}${first.kind.slice(1)} ${viewers}` : `Pull ${viewers}`;
}
