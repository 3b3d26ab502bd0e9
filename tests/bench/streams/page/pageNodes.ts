import type { NodeCapabilities, NodeView } from '../../../../src/domain/model/node';

const can: NodeCapabilities = {
  publish: ['whip', 'rtmp'],
  pull: ['whep', 'rtmp'],
  play: ['whep', 'hls'],
  serves: ['whep', 'rtmp', 'hls'],
  measure: ['CPU', 'streams', 'viewers'],
  terminate: true,
};

function node(id: string, role: NodeView['role'], of: Partial<NodeView>): NodeView {
  return {
    id,
    name: id,
    role,
    colourSlot: 1,
    state: 'live',
    reach: 'SSH',
    host: id,
    streams: [],
    can,
    ...of,
  };
}

/** Nodes of every kind that the pane and the dialog distinguish. */
export const pageNodes: readonly NodeView[] = [
  node('atom-c2550', 'origin', {
    server: 'wcs',
    settings: { server: 'wcs', ssh: 'qa@atom-c2550' },
    reach: 'REST 8081 · SSH',
    streams: [
      { stream: 'cam-240p', source: 'WHIP', viewers: 742, bitrateKbps: 380 },
      { stream: 'studio-a', source: 'RTMP', viewers: 3, bitrateKbps: 2410 },
    ],
  }),
  node('tester-1', 'tester', {
    colourSlot: 2,
    settings: { tester: 'ssh', ssh: 'qa@10.20.0.11' },
    reach: 'qa@10.20.0.11',
  }),
  node('edge', 'origin', {
    colourSlot: 3,
    server: 'generic',
    settings: { server: 'generic', whep: 'https://edge.example.org/whep/{stream}' },
    reach: 'WHEP',
    can: { ...can, measure: [], terminate: false },
  }),
  node('local', 'tester', { colourSlot: 4, builtIn: true, reach: 'this machine', host: 'here' }),
];
