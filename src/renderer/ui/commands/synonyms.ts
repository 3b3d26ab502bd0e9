/**
 * Search synonyms of the palette, by command id: terms of k6, Locust, JMeter, Prometheus, VS Code and WebRTC. Lower
 * case; matched by prefix.
 */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  wallMode: ['full screen', 'kiosk', 'tv', 'dashboard', 'second screen', 'monitor', 'noc'],
  addChart: ['graph', 'panel', 'new chart', 'series', 'metric'],
  first: ['try', 'demo', 'quick start'],
  pull: [
    'load test',
    'start',
    'run',
    'play',
    'ramp',
    'ramp-up',
    'stages',
    'spike',
    'soak',
    'virtual users',
    'vus',
    'whep',
  ],
  preflight: ['check', 'inspect', 'probe', 'validate', 'doctor'],
  publish: ['push', 'stream', 'ingest', 'whip', 'rtmp', 'camera', 'screen share'],
  stop: ['end', 'abort', 'halt', 'disconnect', 'cancel', 'teardown', 'drain'],
  forceStop: ['kill', 'terminate', 'abort', 'end', 'quit run', 'emergency'],
  again: ['repeat', 'rerun', 'restart'],
  editPlan: ['configure', 'modify', 'profile', 'yaml'],
  split: ['load generator', 'distribute', 'scale', 'more testers'],
  note: ['annotate', 'annotation', 'comment', 'mark'],
  clip: ['video', 'record', 'recording', 'capture'],
  still: ['screenshot', 'picture', 'frame', 'capture'],
  spotCheck: ['blind', 'quality', 'rating', 'mos', 'subjective', 'smooth'],
  viewers: ['clients', 'sessions', 'connections', 'virtual users', 'details', 'ice'],
  estimate: ['capacity', 'forecast', 'what if', 'extrapolate', 'sizing'],
  findLimit: ['ramp', 'maximum', 'capacity', 'breakpoint', 'breaking point', 'stress test', 'search'],
  export: ['save', 'html', 'share', 'download'],
  exportFile: ['save', 'backup', 'fullhouse', 'share', 'download'],
  exportCsv: ['save', 'data', 'spreadsheet', 'excel', 'download'],
  exportPdf: ['save', 'paper', 'share', 'download'],
  snapshot: ['export', 'redact', 'anonymise', 'anonymize', 'share', 'support bundle'],
  live: ['now', 'follow', 'tail'],
  pause: ['freeze', 'hold', 'stand still', 'resume', 'continue'],
  reset: ['zoom out', 'fit', 'all'],
  band: ['average', 'min', 'max', 'range', 'envelope', 'percentile', 'worst', 'aggregate'],
  full: ['maximise', 'maximize', 'enlarge', 'fullscreen'],
  all: ['reset isolation', 'legend'],
  console: ['dashboard', 'charts', 'home', 'live'],
  nodes: ['fleet', 'servers', 'origins', 'testers', 'hosts', 'load generators'],
  addNode: ['server', 'origin', 'tester', 'host', 'ssh', 'connect', 'new', 'load generator', 'kubernetes', 'pods'],
  runs: ['history', 'results', 'library', 'saved runs', 'reports'],
  open: ['load file', 'import', 'file'],
  clockPage: ['obs', 'phone', 'photo', 'glass to glass', 'latency', 'encoder', 'qr', 'second screen'],
  import: ['promql', 'node_exporter', 'metrics', 'history'],
  metrics: ['export', 'scrape', 'dashboard', 'exporter'],
  filter: ['search', 'find'],
  compare: ['diff', 'regression', 'baseline', 'a/b'],
  zone: ['time zone', 'timezone', 'clock'],
  theme: ['light', 'dark', 'mode', 'appearance', 'colours', 'colors', 'night', 'contrast'],
  keys: ['shortcuts', 'keyboard', 'hotkeys', 'bindings', 'help'],
};

export function synonymsOf(command: string): readonly string[] {
  return synonyms[command] ?? [];
}

/** The commands with synonyms, for the test that compares the table with the existing commands. */
export const commandsWithSynonyms: readonly string[] = Object.keys(synonyms);
