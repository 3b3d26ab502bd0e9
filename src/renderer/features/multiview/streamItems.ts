import type { NodeView } from '../../../domain/model/node';
import type { PlayTarget } from '../../player/protocols/playSession';
import type { MenuItem } from '../../ui/menu';

interface StreamActions {
  readonly add: (target: PlayTarget) => void;
  readonly addProtocols: (target: PlayTarget) => void;
}

/** Entries for the streams of all nodes: one player, or one for each protocol of a server that has several. */
export function streamItems(nodes: readonly NodeView[], actions: StreamActions): readonly MenuItem[] {
  return nodes
    .filter(({ role }) => role === 'origin')
    .flatMap(({ id: node, name, streams, can, colourSlot }) =>
      streams.flatMap(({ stream }): MenuItem[] => {
        const target = { node, stream };
        const add: MenuItem = {
          ...{ id: `${node} ${stream}`, text: stream, about: name, swatch: colourSlot },
          run: () => actions.add(target),
        };
        if ((can?.play.length ?? 0) < 2) return [add];
        const each: MenuItem = {
          id: `${add.id} protocols`,
          text: `${stream} over each protocol`,
          about: name,
          run: () => actions.addProtocols(target),
        };
        return [add, each];
      }),
    );
}
