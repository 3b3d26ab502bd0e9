import type { PreflightRule } from './rule';
import { udpReceiveBuffer } from './rules/kernel/udpReceiveBuffer';
import { udpSendBuffer } from './rules/kernel/udpSendBuffer';

/** Every rule that is looked at, in the order in which findings of equal weight are shown. */
export const catalogue: readonly PreflightRule[] = [udpReceiveBuffer, udpSendBuffer];
