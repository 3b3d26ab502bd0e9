/** Measures the main thread of a page from outside: its load, and the duration of its tasks. */

const metricsOf = async (session) => {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
};

/** Tasks of the renderer's main thread during `act`, from Chromium's own trace, in ms. */
async function tracedTasks(session, act) {
  const events = [];
  const onData = ({ value }) => events.push(...value);
  session.on('Tracing.dataCollected', onData);
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] },
    transferMode: 'ReportEvents',
  });
  await act();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', onData);
  return events;
}

/**
 * Runs `act` and returns the load of the page's main thread meanwhile.
 * @returns {Promise<{ busyPercent: number, scriptPercent: number, tasksOver50Ms: number, longestLongTaskMs: number }>}
 */
export async function measureBusy(page, act) {
  const session = await page.context().newCDPSession(page);
  // Processor time of the thread, not wall-clock time, which includes the time used by other programs.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const startedAt = performance.now();
  await page.evaluate(() => {
    window.longTasks = [];
    window.longTaskObserver?.disconnect();
    window.longTaskObserver = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.longTasks.push(entry.duration);
    });
    window.longTaskObserver.observe({ entryTypes: ['longtask'] });
  });
  const before = await metricsOf(session);
  await act();
  const after = await metricsOf(session);
  const seconds = (performance.now() - startedAt) / 1000;
  const longTasks = await page.evaluate(() => window.longTasks);
  await session.detach();

  const share = (name) => (100 * (after[name] - before[name])) / seconds;
  return {
    busyPercent: share('TaskDuration'),
    scriptPercent: share('ScriptDuration'),
    tasksOver50Ms: longTasks.length,
    longestLongTaskMs: Math.max(0, ...longTasks),
  };
}

/** The longest task of the page's main thread during `act`, in ms. */
export async function measureLongestTask(page, act) {
  return (await measureLongestTasks(page, act)).onClockMs;
}

/**
 * The longest task of the page's main thread during `act`: in wall-clock time, and in processor time, which excludes
 * the time used by other programs.
 */
export async function measureLongestTasks(page, act) {
  const session = await page.context().newCDPSession(page);
  const events = await tracedTasks(session, act);
  await session.detach();
  const mains = new Set(
    events
      .filter((event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain')
      .map((event) => `${event.pid} ${event.tid}`),
  );
  const tasks = events.filter(
    (event) => event.ph === 'X' && /RunTask$/.test(event.name) && mains.has(`${event.pid} ${event.tid}`),
  );
  return {
    onClockMs: Math.max(0, ...tasks.map((event) => event.dur / 1000)),
    ofProcessorMs: Math.max(0, ...tasks.map((event) => (event.tdur ?? event.dur) / 1000)),
  };
}

/** Heap in use after a collection, in MB. */
export async function heapMb(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}

/** Times between frames during `act`, in ms: the median, the 95th percentile and the longest. */
export async function measureFrames(page, act) {
  await page.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const step = () => {
      const now = performance.now();
      window.frames_.push(now - last);
      last = now;
      window.frameHandle = requestAnimationFrame(step);
    };
    window.frameHandle = requestAnimationFrame(step);
  });
  await act();
  const frames = await page.evaluate(() => {
    cancelAnimationFrame(window.frameHandle);
    return window.frames_;
  });
  const sorted = frames.sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { medianMs: at(0.5), p95Ms: at(0.95), longestMs: at(1) };
}
