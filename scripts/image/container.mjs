import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { tarOf } from './tar.mjs';

/** An image has no time of its build, so that the same content has the same digest. */
const created = '1970-01-01T00:00:00Z';
const oci = (kind) => `application/vnd.oci.image.${kind}`;
const digestOf = (data) => `sha256:${createHash('sha256').update(data).digest('hex')}`;
const json = (value) => Buffer.from(JSON.stringify(value));

/**
 * An image of one layer.
 * @param {{ architecture: string, files: Parameters<typeof tarOf>[0], config: Record<string, unknown> }} content
 *   `architecture` by Go's names; `config` as in the OCI image specification
 */
export function imageOf({ architecture, files, config }) {
  const layer = tarOf(files);
  const history = [{ created, created_by: 'scripts/image.mjs' }];
  const rootfs = { type: 'layers', diff_ids: [digestOf(layer)] };
  return { architecture, layer, config: json({ created, architecture, os: 'linux', config, rootfs, history }) };
}

/**
 * An archive that `docker load`, `ctr images import` and `crane push` read.
 * @param {ReturnType<typeof imageOf>} image
 * @param {string} tag NAME:TAG
 */
export function dockerArchive(image, tag) {
  const configName = `${digestOf(image.config).slice('sha256:'.length)}.json`;
  return tarOf([
    { name: configName, data: image.config },
    { name: 'layer.tar', data: image.layer },
    { name: 'manifest.json', data: json([{ Config: configName, RepoTags: [tag], Layers: ['layer.tar'] }]) },
  ]);
}

/**
 * An OCI image layout in one archive: an index of images for several architectures, under one tag.
 * @param {ReturnType<typeof imageOf>[]} images
 * @param {string} tag
 */
export function ociArchive(images, tag) {
  const blobs = new Map();
  const blob = (mediaType, data) => {
    const digest = digestOf(data);
    blobs.set(digest, data);
    return { mediaType, digest, size: data.length };
  };
  const manifests = images.map(({ architecture, layer, config }) => ({
    ...blob(
      oci('manifest.v1+json'),
      json({
        schemaVersion: 2,
        mediaType: oci('manifest.v1+json'),
        config: blob(oci('config.v1+json'), config),
        layers: [blob(oci('layer.v1.tar+gzip'), gzipSync(layer, { level: 9 }))],
      }),
    ),
    platform: { architecture, os: 'linux' },
  }));
  const index = blob(oci('index.v1+json'), json({ schemaVersion: 2, mediaType: oci('index.v1+json'), manifests }));
  const root = {
    schemaVersion: 2,
    manifests: [{ ...index, annotations: { 'org.opencontainers.image.ref.name': tag } }],
  };
  return tarOf([
    { name: 'oci-layout', data: json({ imageLayoutVersion: '1.0.0' }) },
    { name: 'index.json', data: json(root) },
    { name: 'blobs' },
    { name: 'blobs/sha256' },
    ...[...blobs].map(([digest, data]) => ({ name: `blobs/${digest.replace(':', '/')}`, data })),
  ]);
}
