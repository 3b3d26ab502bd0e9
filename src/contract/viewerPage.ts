import { engineCalls, type EngineCallName, type EngineEventName } from './engine';

/** What the page of a browser without a window may call: that of a player ... */
const ofPlayer = [
  'player.address',
  'player.fetch',
  'player.connect',
  'player.send',
  'player.disconnect',
  'player.mediaClock',
  'signal.whep',
  'signal.end',
] as const satisfies readonly EngineCallName[];

/** ... with the report of browser viewers, */
const ofViewers = [...ofPlayer, 'browserViewers.report'] as const satisfies readonly EngineCallName[];

/** ... or with those of a publisher, and of a delay test. */
const ofDelayTest = [
  ...ofPlayer,
  'signal.whip',
  'publish.relay',
  'publish.relayData',
  'publish.room',
  'publish.figures',
  'delayDecoder.next',
  'delayDecoder.progress',
] as const satisfies readonly EngineCallName[];

export type MediaPageCall = (typeof ofPlayer)[number];
export type ViewerPageCall = (typeof ofViewers)[number];
export type DelayPageCall = (typeof ofDelayTest)[number];

const callsOf = <Name extends EngineCallName>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, engineCalls[name]])) as Pick<typeof engineCalls, Name>;

export const viewerPageCalls = callsOf<ViewerPageCall>(ofViewers);
export const delayPageCalls = callsOf<DelayPageCall>(ofDelayTest);

/** What it receives. */
export const viewerPageEvents = [
  'run',
  'sessionEnded',
  'playerData',
  'playerClosed',
] as const satisfies readonly EngineEventName[];
