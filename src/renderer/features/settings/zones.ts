import { isTimeZone, zoneName, type TimeZoneChoice } from '../../../domain/text/timeFormat';

export interface Zone {
  readonly id: TimeZoneChoice;
  readonly text: string;
}

/** Zones that systems list by an old name, with the current name. */
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

/** Max zones in the list: typing narrows it. */
const maxShown = 40;

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

/** Zones whose name (`new york`) or short name (`CET`) contains every typed word, in list order. */
export function findZones(zones: readonly Zone[], text: string, nowMs: number): readonly Zone[] {
  const words = text
    .toLowerCase()
    .split(/[\s_/]+/)
    .filter(Boolean);
  const found: Zone[] = [];
  for (const zone of zones) {
    const name = zone.text.toLowerCase();
    const fits = (word: string): boolean => name.includes(word) || zoneName(nowMs, zone.id).toLowerCase() === word;
    if (words.every(fits)) found.push(zone);
    if (found.length === maxShown) break;
  }
  // A name that the list lacks but the system supports, e.g. `US/Eastern`.
  const typed = text.trim();
  return found.length === 0 && typed !== '' && isTimeZone(typed) ? [{ id: typed, text: typed }] : found;
}
