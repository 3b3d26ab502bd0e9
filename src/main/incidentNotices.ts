import type { IncidentNews } from '../contract/incidentCalls';
import { listed } from '../domain/incidents/incident';
import { visibleLine } from '../domain/text/visibleText';

export interface Notice {
  readonly title: string;
  readonly body: string;
}

/** More at once are one notification: a network that is gone loses all nodes. */
const maxNotices = 3;
const maxCharacters = 300;

/** Notifications of the system for what its rules want reported. */
export function noticesOf({ changes }: IncidentNews): readonly Notice[] {
  const wanted = changes.filter(({ notifies }) => notifies);
  if (wanted.length > maxNotices) {
    const nodes = [...new Set(wanted.flatMap(({ incident }) => incident.nodes))];
    return [{ title: `${wanted.length} incidents`, body: shown(`On ${listed(nodes)}.`) }];
  }
  return wanted.map(({ change, incident }) => ({
    title: shown(`${change === 'resolved' ? 'Resolved' : 'Incident'}: ${listed(incident.nodes)}`),
    body: shown(incident.ended ?? incident.began),
  }));
}

/** Sentences may quote other programs. */
function shown(text: string): string {
  const visible = visibleLine(text);
  return visible.length > maxCharacters ? `${visible.slice(0, maxCharacters - 1)}…` : visible;
}
