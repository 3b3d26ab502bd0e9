import { describe, expect, it } from 'vitest';
import { WallMode } from './wallMode';

/** A window and the blockers that are active. */
function desktop(isFullScreen = false) {
  const state = { isFullScreen, blockers: [] as number[], started: [] as string[] };
  const mode = new WallMode(
    {
      isFullScreen: () => state.isFullScreen,
      setFullScreen: (is) => (state.isFullScreen = is),
    },
    {
      start: (kind) => {
        state.started.push(kind);
        state.blockers.push(state.started.length);
        return state.started.length;
      },
      stop: (id) => {
        state.blockers = state.blockers.filter((each) => each !== id);
        return true;
      },
    },
  );
  return { state, mode };
}

describe('wall mode', () => {
  it('fills the screen and keeps it on while it lasts', () => {
    const { state, mode } = desktop();
    mode.set(true);
    expect(state).toEqual({ isFullScreen: true, blockers: [1], started: ['prevent-display-sleep'] });
    mode.set(false);
    expect(state).toMatchObject({ isFullScreen: false, blockers: [] });
  });

  it('holds one blocker only, and keeps a full screen that was there before', () => {
    const { state, mode } = desktop(true);
    mode.set(true);
    mode.set(true);
    expect(state.started).toHaveLength(1);
    mode.set(false);
    mode.set(false);
    expect(state).toMatchObject({ isFullScreen: true, blockers: [] });
  });
});
