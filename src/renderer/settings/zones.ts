import { isTimeZone, zoneName, type TimeZoneChoice } from '../../domain/timeFormat';

export interface Zone {
  readonly id: TimeZoneChoice;
  readonly text: string;
}

/** Zones that systems still list by an old name, with the name that people look for. */
const presentNames: Readonly<Record<string, string>> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho Chi Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'America/Buenos_Aires': 'America/Argentina/Buenos Aires',
  'America/Godthab': 'America/Nuuk',
  'Europe/Kiev': 'Europe/Kyiv',
};

/** Most zones in the list at once: one types until it is short. */
const mostShown = 40;

/** All zones that times can be shown in: this computer's, UTC, and those of the IANA database by name. */
export function allZones(): readonly Zone[] {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return [
    { id: 'local', text: `Local, ${timeZone}` },
    { id: 'utc', text: 'UTC' },
    ...Intl.supportedValuesOf('timeZone').map((id) => ({
      id,
      text: (presentNames[id] ?? id).replaceAll('_', ' '),
    })),
  ];
}

/** Zones of which every typed word is a part of the name (`new york`) or the short name (`CET`), in the order of the list. */
export function findZones(zones: readonly Zone[], text: string, nowMs: number): readonly Zone[] {
  const words = text
    .toLowerCase()
    .split(/[\s_/]+/)
    .filter(Boolean);
  const found: Zone[] = [];
  for (const zone of zones) {
    const name = zone.text.toLowerCase();
    const fits = (word: string): boolean =>
      name.includes(word) || zoneName(nowMs, zone.id).toLowerCase() === word;
    if (words.every(fits)) found.push(zone);
    if (found.length === mostShown) break;
  }
  // A name that the list lacks but the system knows, e.g. `US/Eastern`.
  const typed = text.trim();
  return found.length === 0 && typed !== '' && isTimeZone(typed) ? [{ id: typed, text: typed }] : found;
}
