import { FullhouseError } from '../../contract/calls';
import type { DelayOrder } from '../../contract/delayCalls';
import { delayPaths, type DelayPath } from '../../domain/delay/paths';
import type { NodeView } from '../../domain/model/node';
import { playableOf } from '../../domain/model/playerProtocols';
import { windowProtocolsOf } from '../../domain/model/publishMedia';
import type { VideoCodec } from '../../domain/model/videoCodecs';
import { quoted } from '../../domain/text/quoted';

/** The paths of a server that a decoder which encodes these codecs can measure. */
export const pathsOf = ({ can, server }: NodeView, encodes: readonly VideoCodec[]): readonly DelayPath[] =>
  delayPaths({
    publish: windowProtocolsOf(can?.publish),
    play: playableOf(can?.play ?? (server === 'lab' ? ['whep'] : [])),
    encodes,
  });

/**
 * The paths of an order: under load those that a load was asked for. Throws `no-path` with the ids that this server,
 * decoder or order does not have.
 */
export function wantedPaths(
  all: readonly DelayPath[],
  { paths, viewers, node }: Pick<DelayOrder, 'paths' | 'viewers' | 'node'>,
  hasPlan: boolean,
): readonly DelayPath[] {
  const idle = all.filter(({ isUnderLoad }) => !isUnderLoad);
  const loaded = hasPlan
    ? // All of the plan's load at once, after what is measured without it.
      idle
        .filter(({ publish }) => publish !== undefined)
        .map((path) => ({ ...path, id: `${path.id} load`, title: `${path.title}, under load`, isUnderLoad: true }))
    : [];
  const possible = hasPlan ? [...idle, ...loaded] : all.filter((path) => !path.isUnderLoad || viewers !== undefined);
  const missing = (paths ?? []).filter((id) => !possible.some((path) => path.id === id));
  if (missing.length > 0) {
    const needsLoad = missing.every((id) => all.some((path) => path.id === id));
    throw new FullhouseError(
      'no-path',
      `${node} has no path ${missing.map(quoted).join(', ')}${needsLoad ? ' without load' : ''}; it has ${possible.map(({ id }) => quoted(id)).join(', ')}.`,
    );
  }
  // What is chosen is measured under load, too, where a load was asked for.
  const isChosen = ({ id }: DelayPath): boolean =>
    paths === undefined || paths.includes(id) || paths.some((each) => id === `${each} load`);
  const chosen = possible.filter(isChosen);
  if (!chosen.some(({ publish }) => publish !== undefined))
    throw new FullhouseError(
      'no-path',
      `${node} has no path that can be measured: it needs a protocol over which a browser or ffmpeg publishes (WHIP, LiveKit, WCS, RTMP, SRT) and one that a browser plays, and a chosen path must be one of them.`,
    );
  return chosen;
}
