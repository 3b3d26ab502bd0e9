import type { ShellOutput } from '../../../contract/shell';
import { grouped } from '../../ui/format/numbers';

export type ProcessLoad = ShellOutput<'shell.processLoad'>;

/** Most that the window shows side by side. */
export const maxPlayers = 9;
/** From here on, all cores together, frames are late because of this machine. */
export const busyPercent = 85;

export interface PlayerCapacity {
  /** CPU of the players together, in percent of one core. */
  readonly playersCpuPercent: number;
  /** How many of them this machine can play without being too busy itself, up to `maxPlayers`. */
  readonly fairPlayers: number;
  /** This machine is too busy now, so that its own delays look like those of the server. */
  readonly isTooBusy: boolean;
}

/**
 * What the players cost and how many this machine plays fairly. `idleCpuPercent` is the CPU of the window without
 * players, in percent of one core. Other programs are assumed to need as much as now.
 */
export function playerCapacity(players: number, load: ProcessLoad, idleCpuPercent: number): PlayerCapacity | undefined {
  if (players === 0) return undefined;
  const allCoresPercent = 100 * load.cores;
  const busyOfAll = (load.machineBusyPercent / 100) * allCoresPercent;
  const playersCpuPercent = Math.max(0, load.windowCpuPercent - idleCpuPercent);
  const forPlayers = (busyPercent / 100) * allCoresPercent - (busyOfAll - playersCpuPercent);
  // Less than one percent of a core for a player is below what can be measured.
  const eachPercent = Math.max(1, playersCpuPercent / players);
  return {
    playersCpuPercent,
    fairPlayers: Math.max(0, Math.min(maxPlayers, Math.floor(forPlayers / eachPercent))),
    isTooBusy: load.machineBusyPercent > busyPercent,
  };
}

/** One line about it, e.g. `4 players use 62 % of a core; this machine can play 9`. */
export function capacityText(players: number, { playersCpuPercent, fairPlayers, isTooBusy }: PlayerCapacity): string {
  const use = `${players === 1 ? '1 player uses' : `${grouped(players)} players use`} ${grouped(playersCpuPercent)} % of a core`;
  if (isTooBusy)
    return `${use}; this machine is too busy to judge ${players === 1 ? 'it' : 'them'}: ${fairPlayers === 0 ? 'free some CPU first' : `play max ${fairPlayers}`}`;
  return `${use}; this machine can play ${fairPlayers < maxPlayers ? `max ${fairPlayers}` : `all ${maxPlayers}`}`;
}
