import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { localAgentBinary } from '../../src/engine/links/localAgent';
import { root } from '../integration/support';

type Build = (program: string) => Promise<{ readonly version: string }>;

const known = new Map<Build, Promise<string>>();
const folders: string[] = [];

/**
 * The clone's command line with other agents, built by `build` at the given path; returns the path of the command line.
 * Each is built once for all drills.
 */
export function installationWith(build: Build): Promise<string> {
  const existing = known.get(build);
  if (existing) return existing;
  const installing = install(build);
  known.set(build, installing);
  return installing;
}

export function removeInstallations(): void {
  known.clear();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

async function install(build: Build): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-drill-installation-'));
  folders.push(folder);
  const agents = join(folder, 'build', 'agents');
  const program = localAgentBinary(agents);
  mkdirSync(dirname(program), { recursive: true });
  const { version } = await build(program);
  const content = readFileSync(program);
  const target = `${process.platform}-${process.arch}`;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const manifest = { [target]: { file: `${target}/fullhouse-agent`, sha256, bytes: content.length, version } };
  writeFileSync(join(agents, 'agents.json'), JSON.stringify(manifest));
  cpSync(join(root, 'out', 'cli'), join(folder, 'out', 'cli'), { recursive: true });
  for (const part of ['node_modules', 'assets', 'package.json']) symlinkSync(join(root, part), join(folder, part));
  return join(folder, 'out', 'cli', 'index.js');
}
