import { parseForeignJson } from '../../../domain/budget/foreignJson';
import { isFlvPlayer, type StatViewer } from './statText';

/** A stat page in JSON, in the form of the one in XML: each stream has its index in `viewers`, and no viewers itself. */
export interface StatTree {
  readonly tree: unknown;
  readonly viewers: readonly (readonly StatViewer[])[];
}

/** Names of lists, which XML has as elements of the same name. */
const elements: Readonly<Record<string, string>> = {
  servers: 'server',
  applications: 'application',
  streams: 'stream',
  clients: 'client',
};

/** Undefined for anything but JSON. */
export function readStatJson(page: string): StatTree | undefined {
  let content: unknown;
  try {
    content = parseForeignJson(page);
  } catch {
    return undefined;
  }
  const viewers: StatViewer[][] = [];
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert);
    if (typeof value !== 'object' || value === null) return String(value);
    const converted: Record<string, unknown> = {};
    for (const [key, each] of Object.entries(value)) {
      if (key === 'clients' && Array.isArray(each)) {
        converted['index'] = String(viewers.length);
        viewers.push(each.filter((client) => !isPublisher(client)).map(viewerOf));
        converted['client'] = each.filter(isPublisher).map(convert);
      } else if (each !== false && each !== null) converted[elements[key] ?? key] = convert(each);
    }
    return converted;
  };
  return { tree: convert(content), viewers };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isPublisher = (client: unknown): boolean => isMap(client) && client['publishing'] === true;

function viewerOf(client: unknown): StatViewer {
  const { id, dropped, flashver }: Readonly<Record<string, unknown>> = isMap(client) ? client : {};
  return { id: Number(id) || 0, dropped: Number(dropped) || 0, isFlv: isFlvPlayer(flashver) };
}
