import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';
import { dockerArchive, imageOf, ociArchive } from './container.mjs';

const contentOf = (architecture) => ({
  architecture,
  files: [
    { name: 'program', data: `program for ${architecture}`, mode: 0o755 },
    { name: 'samples' },
    { name: 'samples/one.bin', data: Buffer.alloc(1500, 7) },
  ],
  config: { User: '65532:65532', Entrypoint: ['/program'] },
});
const sha256 = (data) => createHash('sha256').update(data).digest('hex');

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-image-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (...names) => readFileSync(join(folder, ...names));
const readJson = (...names) => JSON.parse(read(...names).toString());
const blob = ({ digest, size }) => {
  const data = read('blobs', ...digest.split(':'));
  expect([`sha256:${sha256(data)}`, data.length]).toEqual([digest, size]);
  return data;
};

/** Unpacked by the system's tar, which checks the headers. */
function unpack(archive) {
  writeFileSync(join(folder, 'archive.tar'), archive);
  execFileSync('tar', ['-xf', join(folder, 'archive.tar'), '-C', folder]);
}

describe('an image', () => {
  it('has one layer with the files and their modes, in an archive that docker loads', () => {
    unpack(dockerArchive(imageOf(contentOf('amd64')), 'localhost/fullhouse-agent:1.2.3'));
    const [manifest] = readJson('manifest.json');
    expect(manifest.RepoTags).toEqual(['localhost/fullhouse-agent:1.2.3']);
    const config = readJson(manifest.Config);
    expect(manifest.Config).toBe(`${sha256(read(manifest.Config))}.json`);
    expect(config.rootfs.diff_ids).toEqual([`sha256:${sha256(read('layer.tar'))}`]);
    expect(config.config.User).toBe('65532:65532');
    unpack(read('layer.tar'));
    expect(read('program').toString()).toBe('program for amd64');
    expect(statSync(join(folder, 'program')).mode & 0o777).toBe(0o755);
    expect(read('samples', 'one.bin')).toEqual(Buffer.alloc(1500, 7));
  });

  it('is one index of both architectures as an OCI layout, each digest that of its content', () => {
    unpack(
      ociArchive(
        ['amd64', 'arm64'].map((name) => imageOf(contentOf(name))),
        '1.2.3',
      ),
    );
    const [root] = readJson('index.json').manifests;
    const { manifests } = JSON.parse(blob(root).toString());
    expect(manifests.map(({ platform }) => platform.architecture)).toEqual(['amd64', 'arm64']);
    for (const each of manifests) {
      const { config, layers } = JSON.parse(blob(each).toString());
      const { rootfs, architecture } = JSON.parse(blob(config).toString());
      expect(architecture).toBe(each.platform.architecture);
      expect(rootfs.diff_ids).toEqual(layers.map((layer) => `sha256:${sha256(gunzipSync(blob(layer)))}`));
    }
  });

  it('has the same bytes each time', () => {
    const made = () => ociArchive([imageOf(contentOf('amd64'))], '1.2.3');
    expect(made().equals(made())).toBe(true);
  });

  it('is the same by Containerfile', () => {
    const recipe = readFileSync(inRoot('build', 'image', 'Containerfile'), 'utf8');
    const script = readFileSync(inRoot('scripts', 'image.mjs'), 'utf8');
    const user = /const user = '(.*)'/.exec(script)[1];
    const entrypoint = /Entrypoint: \['(.*)'\]/.exec(script)[1];
    const samples = [...script.matchAll(/'(sample-[^']+)'/g)].map(([, name]) => name);
    expect(recipe).toContain(`USER ${user}`);
    expect(recipe).toContain(`ENTRYPOINT ["${entrypoint}"]`);
    expect(samples).toHaveLength(2);
    for (const name of samples) expect(recipe).toContain(`assets/lab/${name}`);
  });
});
