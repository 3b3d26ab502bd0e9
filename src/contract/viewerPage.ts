import { engineCalls, type EngineCallName, type EngineEventName } from './engine';

/** What the page of browser viewers may call: that of a player, and its report. */
const allowed = [
  'player.address',
  'player.fetch',
  'player.connect',
  'player.send',
  'player.disconnect',
  'player.mediaClock',
  'signal.whep',
  'signal.end',
  'browserViewers.report',
] as const satisfies readonly EngineCallName[];

export type ViewerPageCall = (typeof allowed)[number];

export const viewerPageCalls = Object.fromEntries(allowed.map((name) => [name, engineCalls[name]])) as Pick<
  typeof engineCalls,
  ViewerPageCall
>;

/** What it receives. */
export const viewerPageEvents = [
  'run',
  'sessionEnded',
  'playerData',
  'playerClosed',
] as const satisfies readonly EngineEventName[];
