import type { PreflightRule } from './rule';
import { aes } from './rules/host/aes';
import { clock } from './rules/host/clock';
import { freeDisk } from './rules/host/freeDisk';
import { freeMemory } from './rules/host/freeMemory';
import { load } from './rules/host/load';
import { nicSpeed } from './rules/host/nicSpeed';
import { conntrack } from './rules/kernel/conntrack';
import { cpuGovernor } from './rules/kernel/cpuGovernor';
import { fileMax } from './rules/kernel/fileMax';
import { serverFiles } from './rules/kernel/serverFiles';
import { softirq } from './rules/kernel/softirq';
import { txQueue } from './rules/kernel/txQueue';
import { udpDrops } from './rules/kernel/udpDrops';
import { udpReceiveBuffer } from './rules/kernel/udpReceiveBuffer';
import { udpSendBuffer } from './rules/kernel/udpSendBuffer';
import { conntrackTable } from './rules/kubernetes/conntrackTable';
import { networkPolicies } from './rules/kubernetes/networkPolicies';
import { nodeRoom } from './rules/kubernetes/nodeRoom';
import { quotaRule } from './rules/kubernetes/quota';
import { snatPorts } from './rules/kubernetes/snatPorts';
import { ports as livekitPorts } from './rules/livekit/ports';
import { portsEphemeral as livekitPortsEphemeral } from './rules/livekit/portsEphemeral';
import { roomLimit } from './rules/livekit/roomLimit';
import { sharedPortBuffer } from './rules/livekit/sharedPortBuffer';
import { chunkSize } from './rules/nginx/chunkSize';
import { workerConnections } from './rules/nginx/workerConnections';
import { workerFiles } from './rules/nginx/workerFiles';
import { workers } from './rules/nginx/workers';
import { defaultBuffers } from './rules/srs/defaultBuffers';
import { maxConnections } from './rules/srs/maxConnections';
import { mergedRead } from './rules/srs/mergedRead';
import { mergedWrite } from './rules/srs/mergedWrite';
import { openFiles as srsOpenFiles } from './rules/srs/openFiles';
import { openFiles as testerOpenFiles } from './rules/tester/openFiles';
import { ports as testerPorts } from './rules/tester/ports';
import { capacity } from './rules/tester/capacity';
import { sharedMachine } from './rules/tester/sharedMachine';
import { wcsPulls } from './rules/tester/wcsPulls';
import { activityTimer } from './rules/wcs/activityTimer';
import { aesProvider } from './rules/wcs/aesProvider';
import { bandwidthCheck } from './rules/wcs/bandwidthCheck';
import { errorFile } from './rules/wcs/errorFile';
import { gcLog } from './rules/wcs/gcLog';
import { heap } from './rules/wcs/heap';
import { hugePages, hugePagesAtBoot } from './rules/wcs/hugePages';
import { hugePagesMount } from './rules/wcs/hugePagesMount';
import { jdk } from './rules/wcs/jdk';
import { jvmAes } from './rules/wcs/jvmAes';
import { mediaPorts } from './rules/wcs/mediaPorts';
import { mediaPortsFree } from './rules/wcs/mediaPortsFree';
import { mediaPortsEphemeral } from './rules/wcs/mediaPortsEphemeral';
import { mediaPortsOwn } from './rules/wcs/mediaPortsOverlap';
import { oldGc } from './rules/wcs/oldGc';
import { restHooks } from './rules/wcs/restHooks';
import { rtpBuffers } from './rules/wcs/rtpBuffers';
import { rtpBundle } from './rules/wcs/rtpBundle';
import { subgroupQueues } from './rules/wcs/subgroupQueues';
import { subgroups } from './rules/wcs/subgroups';
import { subgroupSizes } from './rules/wcs/subgroupSizes';
import { zgc } from './rules/wcs/zgc';

/**
 * Every rule of the product, in display order of findings with equal weight: the server, its kernel, its machine, the
 * testers.
 */
export const catalogue: readonly PreflightRule[] = [
  ...[mediaPorts, mediaPortsFree, mediaPortsEphemeral, mediaPortsOwn, rtpBundle],
  ...[subgroups, subgroupSizes, subgroupQueues, activityTimer, bandwidthCheck],
  ...[aesProvider, jvmAes, jdk, zgc, oldGc, gcLog, errorFile, heap, hugePages, hugePagesAtBoot, hugePagesMount],
  ...[rtpBuffers, restHooks],
  ...[maxConnections, srsOpenFiles, mergedWrite, mergedRead, defaultBuffers],
  ...[workerConnections, workerFiles, workers, chunkSize],
  ...[livekitPorts, livekitPortsEphemeral, sharedPortBuffer, roomLimit],
  ...[udpReceiveBuffer, udpSendBuffer, udpDrops, serverFiles, fileMax, conntrack, txQueue, softirq, cpuGovernor],
  ...[aes, nicSpeed, clock, freeMemory, freeDisk, load],
  ...[capacity, testerOpenFiles, testerPorts, wcsPulls, sharedMachine],
  ...[quotaRule, nodeRoom, networkPolicies, snatPorts, conntrackTable],
];
