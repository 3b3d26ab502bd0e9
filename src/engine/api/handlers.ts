import type { Handlers } from '../../contract/calls';
import type { AnyCalls } from '../../contract/engine';
import { setLogLimit } from '../base/log';
import { setAgentMemory } from '../links/agentMemory';
import { setAgentIdleTimeout } from '../links/idleTimeout';
import { makeDelayHandlers } from './delayHandlers';
import { makeEstimateHandlers } from './estimateHandlers';
import type { HandlerParts } from './handlerParts';
import { makeIncidentHandlers } from './incidentHandlers';
import { makeKubernetesHandlers } from './kubernetesHandlers';
import { makeLibraryHandlers } from './libraryHandlers';
import { makeNodeHandlers } from './nodeHandlers';
import { makePlanHandlers } from './planHandlers';
import { makePlayerHandlers } from './playerHandlers';
import { makePreflightHandlers } from './preflightHandlers';
import { makeRunHandlers } from './runHandlers';
import { makeShareHandlers } from './shareHandlers';
import { makeStreamHandlers } from './streamHandlers';
import { makeVmafHandlers } from './vmafHandlers';
import { makeClockPageHandlers } from './clockPageHandlers';
import { makeWatchHandlers } from './watchHandlers';

const done = { done: true } as const;

/** Implements the calls of the contract. */
export function makeHandlers(parts: HandlerParts): Handlers<keyof AnyCalls> {
  const { runManager } = parts;
  return {
    ...makeNodeHandlers(parts),
    ...makeKubernetesHandlers(parts),
    ...makeIncidentHandlers(parts),
    ...makeStreamHandlers(parts),
    ...makePlayerHandlers(parts),
    ...makeVmafHandlers(parts),
    ...makeWatchHandlers(parts),
    ...makeDelayHandlers(parts),
    ...makePlanHandlers(parts),
    ...makePreflightHandlers(parts),
    ...makeRunHandlers(parts),
    ...makeLibraryHandlers(parts),
    ...makeEstimateHandlers(parts),
    ...makeShareHandlers(parts),
    ...makeClockPageHandlers(parts),
    'engine.state': () => ({
      version: parts.version,
      runsFolder: parts.recorder.folder,
      nodes: parts.nodes(),
      jobs: parts.jobs(),
      run: runManager.view(),
      events: [...runManager.log().events],
      stills: [...runManager.log().stills],
    }),
    'agents.setIdle': ({ seconds }) => {
      setAgentIdleTimeout(seconds);
      return done;
    },
    'agents.setMemory': ({ mb }) => {
      setAgentMemory(mb);
      return done;
    },
    'log.setLevel': ({ level }) => {
      setLogLimit(level);
      return done;
    },
    'engine.shutdown': async () => {
      await parts.shutdown();
      return done;
    },
  };
}
