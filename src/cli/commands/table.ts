import type { Command } from '../command';
import { baseline } from './baseline';
import { check } from './check';
import { ci } from './ci/ci';
import { cleanup } from './cleanup';
import { clock } from './clock';
import { comment } from './comment';
import { compare } from './compare';
import { completion } from './completion';
import { delay } from './delay/delay';
import { estimate } from './estimate';
import { family } from './family';
import { fidelity } from './fidelity';
import { grafana } from './grafana';
import { help } from './help';
import { history } from './history';
import { importPrometheus } from './importPrometheus';
import { kubernetes } from './kubernetes';
import { preflight } from './preflight';
import { presets } from './presets';
import { probe } from './probe';
import { removeAgent } from './removeAgent';
import { report } from './report';
import { run } from './run';
import { sample } from './sample/sample';
import { schema } from './schema';
import { show } from './show';
import { snapshot } from './snapshot';
import { tag } from './tag';
import { watch } from './watch';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  ...[run, check, presets, schema, preflight],
  ...[report, snapshot, show, compare, tag, baseline],
  ...[ci, comment, estimate, sample, delay, fidelity],
  ...[probe, family, removeAgent, kubernetes, cleanup],
  ...[watch, history, clock, importPrometheus, grafana],
  ...[completion, help],
];

export const commandOf = (name: string): Command | undefined => commands.find((command) => command.name === name);
