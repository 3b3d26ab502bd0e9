import { stringify } from 'yaml';
import { roleBindingManifest, roleManifest } from './access';
import { jobManifest, secretManifest, type ManifestOptions } from './manifest';

/** Shown in place of the token. */
const tokenPlaceholder = '(random, set at each start)';

const written = (object: unknown): string => stringify(object, { aliasDuplicateObjects: false, lineWidth: 0 });

/** The Role for a namespace, and how it is bound. */
export function accessText(namespace: string): string {
  return [
    '# What the user of the kubeconfig needs; applied once, by an administrator.\n',
    `${written(roleManifest(namespace))}---\n# Replace USER.\n${written(roleBindingManifest(namespace))}`,
  ].join('');
}

/** The Job and the Secret of a group, as applied at its start. */
export function groupText(options: ManifestOptions): string {
  return [
    `# ${options.node}: applied at the start of a run and deleted after it.\n`,
    `${written(jobManifest(options))}---\n${written(secretManifest(options, tokenPlaceholder))}`,
  ].join('');
}
