import { actionKey, actionsOf, type AlertAction } from '../incidents/alertActions';
import { listed } from '../incidents/incident';
import type { AlertRule } from '../incidents/rules';
import { maskAddresses } from '../secrets/addressSecrets';
import { escaped } from '../text/quoted';
import { commandText } from './commandText';
import type { ConsentItem } from './consent';

/** What one action of the alert rules does, for a person to allow. */
export interface AlertConsent {
  readonly action: AlertAction;
  readonly item: ConsentItem;
}

/** Everything that the rules start or call beside the console and that is not allowed yet; each once. */
export function alertConsentOf(
  rules: readonly AlertRule[],
  isAllowed: (action: AlertAction) => boolean,
): readonly AlertConsent[] {
  const found = new Map<string, { readonly action: AlertAction; readonly names: string[] }>();
  for (const rule of rules)
    for (const action of actionsOf(rule)) {
      if (isAllowed(action)) continue;
      const known = found.get(actionKey(action));
      if (known) known.names.push(rule.name);
      else found.set(actionKey(action), { action, names: [rule.name] });
    }
  return [...found.values()].map(({ action, names }) => ({ action, item: itemOf(action, listed(names)) }));
}

function itemOf(action: AlertAction, names: string): ConsentItem {
  const when = 'when an incident begins and when it ends';
  if ('command' in action)
    return { kind: 'program', path: names, text: `${when}: run ${commandText(action.command)} on this machine` };
  return { kind: 'network', path: names, text: `${when}: send it to ${escaped(maskAddresses(action.webhook))}` };
}
