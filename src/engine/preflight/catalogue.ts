import type { PreflightRule } from './rule';
import { hostRules } from './rules/host';
import { kernelRules } from './rules/kernel';
import { kubernetesRules } from './rules/kubernetes';
import { livekitRules } from './rules/livekit';
import { nginxRules } from './rules/nginx';
import { srsRules } from './rules/srs';
import { testerRules } from './rules/tester';
import { wcsJvmRules } from './rules/wcsJvm';
import { wcsPortsRules } from './rules/wcsPorts';
import { wcsSettingsRules } from './rules/wcsSettings';

/**
 * Every rule of the product, in display order of findings with equal weight: the server, its kernel, its machine, the
 * testers.
 */
export const catalogue: readonly PreflightRule[] = [
  ...[...wcsPortsRules, ...wcsSettingsRules, ...wcsJvmRules],
  ...[...srsRules, ...nginxRules, ...livekitRules],
  ...[...kernelRules, ...hostRules],
  ...[...testerRules, ...kubernetesRules],
];
