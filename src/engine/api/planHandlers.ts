import { loadTesters, originNames } from '../../domain/model/publisherGroup';
import { secretsWarning } from '../../domain/plan/planSecrets';
import { parsePlan, PlanError } from '../../domain/plan/planYaml';
import { FullhouseError, type Handlers } from '../../contract/calls';
import type { AnyCalls } from '../../contract/engine';
import { readPresets } from '../library/presets';
import { loadChecks } from '../runs/loadCheck';
import { checkPlan } from '../runs/planCheck';
import { planFacts } from '../runs/planFacts';
import { readOpenFilesLimit, readPortCount } from '../telemetry/processLimits';
import { findNode, type HandlerParts } from './handlerParts';

/** Implements the calls about plans. */
export function makePlanHandlers(parts: HandlerParts): Handlers<Extract<keyof AnyCalls, `plan.${string}`>> {
  return {
    'plan.parse': ({ yaml }) => {
      try {
        const { plan, warnings } = parsePlan(yaml, parts.clock.wall());
        return { plan, warnings: [...warnings] };
      } catch (error) {
        if (error instanceof PlanError) throw new FullhouseError('bad-plan', error.message);
        throw error;
      }
    },
    'plan.presets': () => readPresets(parts.presetsFolder),
    'plan.check': async ({ plan }) => {
      const isHere = Object.values(plan.nodes).some((node) => 'tester' in node && node.tester === 'local');
      if (isHere && !parts.runManager.activeRun) parts.testThisMachine();
      const facts = await planFacts(plan, {
        find: (name) => findNode(parts, name),
        measured: (id) => parts.nodes().find((node) => node.id === id),
        openFiles: readOpenFilesLimit,
        ports: readPortCount,
        capacityMbps: (id) => parts.capacity.of(id)?.mbps,
      });
      const { problems, checks, ...expected } = checkPlan(plan, facts);
      const warning = secretsWarning(plan);
      const names = [...new Set([...originNames(plan), ...loadTesters(plan)])];
      const allChecks = [
        ...checks,
        ...loadChecks(
          parts.hostLoads,
          names.flatMap((name) => findNode(parts, name)?.view() ?? []),
          plan.expect.cpu?.value,
        ),
        ...(warning === undefined ? [] : [{ good: false, sentence: warning }]),
      ];
      return { problems: [...problems], checks: allChecks, ...expected };
    },
  };
}
