import type { WindowPage } from '../windowPage';

/**
 * A state of the window that axe-core inspects, and whose boxes are measured (`tests/renderer/boxes`). A new screen or
 * dialog gets a row here.
 */
export interface Screen {
  readonly name: string;
  /** Scenario of the fake engine, see `preview.ts`. */
  readonly query: string;
  /** Opens the screen from the initial window; must wait until it is visible. */
  readonly open: (window: WindowPage) => Promise<void>;
}

const key =
  (press: string, id: Parameters<WindowPage['find']>[0]): Screen['open'] =>
  async (window) => {
    await window.page.keyboard.press(press);
    await window.find(id).first().waitFor();
  };

const click =
  (...ids: Parameters<WindowPage['find']>[0][]): Screen['open'] =>
  async (window) => {
    for (const id of ids.slice(0, -1)) await window.find(id).first().click();
    await window
      .find(ids.at(-1) ?? 'pullButton')
      .first()
      .waitFor();
  };

const first = async (window: WindowPage): Promise<void> => {
  await window.find('runsTab').click();
  await window.find('runRow').first().dblclick();
  await window.find('verdict').first().waitFor();
};

const fleetRow = (window: WindowPage, node: string) =>
  window.page.locator(`[data-testid="fleet-row"][data-node="${node}"]`);

const node =
  (name: string, then: (window: WindowPage, row: ReturnType<typeof fleetRow>) => Promise<void>): Screen['open'] =>
  async (window) => {
    await window.find('nodesTab').click();
    const row = fleetRow(window, name);
    await row.waitFor();
    await then(window, row);
  };

const probe =
  (address: string, ready: (window: WindowPage) => Promise<void>): Screen['open'] =>
  async (window) => {
    await window.page.keyboard.press('n');
    await window.page.locator('[data-testid="add-address"]:focus').waitFor();
    await window.find('addAddress').fill(address);
    await ready(window);
  };

const pull =
  (then: (window: WindowPage) => Promise<void>): Screen['open'] =>
  async (window) => {
    await window.page.keyboard.press('p');
    await window.find('pullDialog').waitFor();
    await then(window);
  };

const compareRuns = async (window: WindowPage, runs: readonly string[]): Promise<void> => {
  await window.find('runsTab').click();
  for (const run of runs) await window.page.locator(`[data-run="${run}"] [data-testid="run-select"]`).click();
  await window.page.keyboard.press('c');
  await window.find('compareSentence').waitFor();
};
const keptDelays: Screen['open'] = async (window) => {
  await key('y', 'delayDialog')(window);
  await window.find('delayTabs').getByRole('button', { name: 'Saved' }).click();
  await window.find('delayShown').waitFor();
};
const compare: Screen['open'] = (window) => compareRuns(window, ['run-1', 'run-5']);

/** A command by its name in the palette. */
const command =
  (text: string, then: (window: WindowPage) => Promise<void>): Screen['open'] =>
  async (window) => {
    await window.page.keyboard.press('Control+k');
    await window.page.keyboard.type(text);
    await window.page.keyboard.press('Enter');
    await then(window);
  };

const nodeKey = (name: string, press: string, id: Parameters<WindowPage['find']>[0]): Screen['open'] =>
  node(name, async (window, row) => {
    await row.click();
    await window.page.keyboard.press(press);
    await window.find(id).waitFor();
  });

const watchView =
  (name: string, shown: Parameters<WindowPage['find']>[0]): Screen['open'] =>
  async (window) => {
    await window.find('watchViews').getByRole('button', { name }).click();
    await window.find(shown).waitFor();
  };

const ofChart =
  (action: string, shown: Parameters<WindowPage['find']>[0], chart = 'viewers'): Screen['open'] =>
  async (window) => {
    await window.page.locator(`[data-chart="${chart}"] [data-testid="chart-menu-button"]`).click();
    await window.find('chartMenu').waitFor();
    if (action) await window.page.locator(`[data-action="${action}"]`).click();
    await window.find(shown).waitFor();
  };

/** By day: wall mode is darker at night. */
const watched = 'watch=20&minutes=2&zone=utc&now=2026-11-28T14:05:30Z';

/** The console: live and ended runs. */
export const consoleScreens: readonly Screen[] = [
  { name: 'empty window, first start', query: 'idle=first', open: click('startLabPull') },
  {
    name: 'incidents without a run',
    query: 'idle=watching&incidents',
    open: async (window) => {
      await window.find('incidentRow').first().waitFor();
      await window.find('incidentRow').first().hover();
    },
  },
  { name: 'nodes observed without a run', query: 'idle=watching', open: click('nodeRow') },
  { name: 'charts of a watched fleet', query: watched, open: click('watchCpu') },
  {
    name: 'mean and band of a watched fleet',
    query: watched,
    open: async (window) => {
      await window.find('chartBand').first().waitFor();
      await window.page.keyboard.press('r');
      await window.page.locator('[data-chart="cpu"] [data-testid="chart-band"][aria-pressed="true"]').waitFor();
    },
  },
  { name: 'nodes of a watched fleet', query: watched, open: watchView('Nodes', 'nodeWall') },
  { name: 'streams of a watched fleet', query: watched, open: watchView('Streams', 'allStreams') },
  { name: 'wall mode', query: watched, open: key('F9', 'wallMode') },
  { name: 'live run', query: 'scenario=pull742', open: click('eventRow') },
  {
    name: 'failures of a live run',
    query: 'scenario=pull742',
    open: async (window) => {
      await window.find('failures').getByRole('button').click();
      await window.find('failuresPopover').waitFor();
    },
  },
  { name: 'note at a timestamp', query: 'scenario=pull742', open: key('m', 'noteField') },
  {
    name: 'live run with its player',
    query: 'scenario=pull742&player=playing',
    open: (window) => window.page.locator('[data-testid="player"][data-state="playing"]').waitFor(),
  },
  { name: 'live run with long names', query: 'scenario=longNames', open: click('eventRow') },
  { name: 'chart menu', query: 'scenario=pull742', open: ofChart('', 'chartMenu') },
  { name: 'chart as a table', query: 'scenario=pull742', open: ofChart('table', 'chartTable') },
  { name: 'distribution', query: 'scenario=pull742', open: ofChart('distribution', 'distribution', 'jitter') },
  { name: 'chart in full size', query: 'scenario=pull742', open: ofChart('full', 'chartShowAll') },
  {
    name: 'table of all series',
    query: 'scenario=pull742',
    open: click('seriesTableButton', 'seriesTableRow'),
  },
  { name: 'add chart', query: 'scenario=pull742', open: click('addChart', 'addChartSeries') },
  { name: 'layouts of charts', query: 'scenario=pull742', open: click('layoutMenu', 'layoutSaveAs') },
  {
    name: 'viewer in detail',
    query: 'scenario=pull742',
    open: async (window) => {
      await window.page.keyboard.press('v');
      await window.find('viewerRow').first().waitFor();
      await window.find('viewerRow').first().click();
      await window.find('viewerDetail').first().waitFor();
    },
  },
  { name: 'viewers', query: 'scenario=pull742', open: key('v', 'viewerRow') },
  {
    name: 'live run, tester-limited',
    query: 'scenario=limitedLive',
    open: click('splitMenu', 'splitCandidate'),
  },
  { name: 'run ended', query: 'scenario=fail256', open: first },
  {
    name: 'export menu',
    query: 'scenario=fail256',
    open: async (window) => {
      await first(window);
      await window.find('exportMenu').first().click();
      await window.find('exportPdf').waitFor();
    },
  },
  {
    name: 'snapshot',
    query: 'scenario=fail256',
    open: async (window) => {
      await first(window);
      await window.find('exportMenu').first().click();
      await window.find('exportSnapshot').click();
      await window.find('snapshotKind').first().waitFor();
    },
  },
  { name: 'run ended, tester-limited', query: 'scenario=limitedAlone', open: first },
  {
    name: 'run ended, with spot checks',
    query: 'scenario=fail256&spotChecks',
    open: async (window) => {
      await first(window);
      await window.find('spotCheckRow').first().waitFor();
    },
  },
  { name: 'limit search, live', query: 'scenario=limitSearching', open: click('limitTrial') },
  { name: 'limit found', query: 'scenario=limitFound', open: first },
  {
    name: 'capacity estimate',
    query: 'scenario=smallLoad',
    open: async (window) => {
      await first(window);
      await window.find('estimateButton').click();
      await window.find('estimateRow').first().waitFor();
    },
  },
  {
    name: 'calibration',
    query: 'scenario=smallLoad',
    open: async (window) => {
      await first(window);
      await window.find('estimateButton').click();
      await window.find('estimateDialog').getByRole('button', { name: 'Calibrate again' }).click();
      await window.find('calibration').waitFor();
    },
  },
];

/** Lists and dialogs. */
export const dialogScreens: readonly Screen[] = [
  {
    name: 'alert rules',
    query: 'idle=watching&incidents',
    open: click('incidentRules', 'ruleRow'),
  },
  {
    name: 'alert rules, wrong fields',
    query: 'idle=watching&incidents',
    open: async (window) => {
      await click('incidentRules', 'ruleRow')(window);
      for (const name of ['name', 'time', 'webhook']) await window.page.getByTestId(`rule-${name}`).fill('?');
    },
  },
  {
    name: 'nodes with long names',
    query: 'scenario=longNames',
    open: node('atom-c2550', async (window, row) => {
      await row.click();
      await window.page.getByTestId('streams-pane').waitFor();
    }),
  },
  { name: 'delay test', query: 'scenario=fleet742', open: key('y', 'delayRow') },
  { name: 'delay test, running', query: 'scenario=fleet742&delay=running', open: key('y', 'delayCancel') },
  { name: 'delay test, done', query: 'scenario=fleet742&delay=done', open: key('y', 'delayCopy') },
  {
    name: 'delay test, end',
    query: 'scenario=fleet742&delay=running',
    open: async (window) => {
      await key('y', 'delayCancel')(window);
      await window.page.keyboard.press('Escape');
      await window.find('delayEnd').waitFor();
    },
  },
  { name: 'delay tables', query: 'scenario=fleet742', open: keptDelays },
  {
    name: 'delay tables, compared',
    query: 'scenario=fleet742',
    open: async (window) => {
      await keptDelays(window);
      await window.page.locator('[data-table="before"]').getByRole('checkbox').check();
      await window.find('delayCompared').first().waitFor();
    },
  },
  { name: 'multiview', query: 'scenario=pull742', open: key('i', 'multiview') },
  { name: 'nodes', query: 'scenario=fleet742', open: click('nodesTab', 'fleetRow') },
  {
    name: 'streams of a node',
    query: 'scenario=fleet742',
    open: node('atom-c2550', async (window, row) => {
      await row.click();
      await window.page.getByTestId('streams-pane').getByText('studio-a-720p').click();
    }),
  },
  {
    name: 'add node, probe',
    query: 'scenario=fleet742',
    open: probe('qa@10.20.0.7', (window) => window.page.locator('[data-row="server"][data-state="found"]').waitFor()),
  },
  {
    name: 'add node, credentials',
    query: 'scenario=fleet742',
    open: probe('livekit.example', (window) => window.find('probeNeeds').waitFor()),
  },
  {
    name: 'add node, two servers',
    query: 'scenario=fleet742',
    open: probe('two.example', (window) => window.find('addServer').waitFor()),
  },
  {
    name: 'add node, invalid address',
    query: 'scenario=fleet742',
    open: probe('two words', async (window) => {
      await window.page.keyboard.press('Enter');
      await window.find('addProblem').waitFor();
    }),
  },
  {
    name: 'edit node',
    query: 'scenario=fleet742',
    open: node('livekit-eu', async (window, row) => {
      await row.dblclick();
      await window.find('editDialog').waitFor();
    }),
  },
  {
    name: 'edit node, own queries',
    query: 'scenario=fleet742',
    open: node('livekit-eu', async (window, row) => {
      await row.dblclick();
      await window.find('editDialog').locator('select').selectOption('generic');
      await window.page.getByTestId('edit-query-add').click();
      await window.find('editQuery').waitFor();
    }),
  },
  {
    name: 'host key changed',
    query: 'scenario=fleet742',
    open: node('tester-3', async (window, row) => {
      await row.getByTestId('node-fix').click();
      await window.find('hostKeyDialog').waitFor();
    }),
  },
  {
    name: 'menu of a node',
    query: 'scenario=fleet742',
    open: node('tester-1', async (window, row) => {
      await row.click();
      await row.getByTestId('node-menu').click();
      await window.page.getByTestId('node-action-removeAgent').waitFor();
    }),
  },
  { name: 'runs', query: 'scenario=fail256', open: click('runsTab', 'runRow') },
  {
    name: 'tags of a run',
    query: 'scenario=fail256',
    open: async (window) => {
      await window.find('runsTab').click();
      await window.page.locator('[data-run="run-5"]').click();
      await window.page.keyboard.press('#');
      await window.find('tagEditor').waitFor();
    },
  },
  { name: 'compare', query: 'scenario=fail256', open: compare },
  {
    name: 'compare five runs',
    query: 'scenario=fail256',
    open: (window) => compareRuns(window, ['run-1', 'run-2', 'run-3', 'run-5', 'run-9']),
  },
  {
    name: 'compare, large',
    query: 'scenario=fail256',
    open: async (window) => {
      await compare(window);
      await window.find('compareSideBySide').first().click();
      await window.find('compareDialog').waitFor();
    },
  },
  { name: 'Pull, constant', query: 'idle=watching', open: pull(click('pullYaml')) },
  {
    name: 'Pull, refused',
    query: 'idle=watching',
    open: pull(async (window) => {
      await window.find('pullViewers').fill('13000');
      await window.find('pullProblem').first().waitFor();
    }),
  },
  {
    name: 'Pull, stages and thresholds',
    query: 'idle=watching',
    open: pull(async (window) => {
      await window.find('planLoadProfile').getByRole('button', { name: 'Stages' }).click();
      await window.find('planAddStage').click();
      await window.find('planOptions').click();
      await window.find('planAddThreshold').click();
      await window.find('planAddStop').click();
    }),
  },
  {
    name: 'Pull, find the limit',
    query: 'idle=watching',
    open: pull(async (window) => {
      await window.find('planLoadProfile').getByRole('button', { name: 'Limit search' }).click();
      await window.find('pullMore').click();
    }),
  },
  { name: 'Pull, presets', query: 'idle=watching', open: pull(click('planPresets')) },
  {
    name: 'Pull, plan of a foreign run',
    query: 'scenario=fail256&foreign',
    open: async (window) => {
      await first(window);
      await window.find('runAgain').click();
      await window.find('planItem').first().waitFor();
    },
  },
  {
    name: 'nodes of a file',
    query: 'idle=watching',
    open: async (window) => {
      await window.page.evaluate(() => {
        const data = new DataTransfer();
        data.items.add(new File(['nodes:\n  fresh: { tester: ssh, ssh: "qa@10.0.0.9" }\n'], 'fleet.yaml'));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      });
      await window.find('planContact').first().waitFor();
    },
  },
  { name: 'Pull, YAML', query: 'idle=watching', open: pull(click('planEditYaml', 'planYamlText')) },
  { name: 'Publish', query: 'scenario=pull742', open: key('u', 'publishDialog') },
  {
    name: 'Publish, a window',
    query: 'idle=watching',
    open: async (window) => {
      await key('u', 'publishDialog')(window);
      await window.find('publishDialog').getByText('Window', { exact: true }).click();
      await window.find('publishCaptures').getByRole('radio').first().waitFor({ state: 'attached' });
      await window.find('publishMedia').locator('summary').click();
    },
  },
  { name: 'Publishers', query: 'scenario=pull742', open: click('jobPublishers', 'publisherRow') },
  {
    name: 'Preflight',
    query: 'idle=watching',
    open: async (window) => {
      await window.find('nodeRow').first().waitFor();
      await window.page.keyboard.press('k');
      await window.find('preflightState').filter({ hasText: 'Checked at' }).waitFor();
      await window.find('preflightRow').first().getByRole('button').first().click();
    },
  },
  {
    name: 'Preflight of a saved run',
    query: 'scenario=fail256',
    open: async (window) => {
      await first(window);
      await window.find('preflightSaved').getByRole('button', { name: 'Show all' }).click();
      await window.find('preflightRow').first().waitFor();
    },
  },
  {
    name: 'schedule',
    query: 'scenario=none',
    open: pull(async (window) => {
      await window.find('planOptions').click();
      await window.find('planRepeat').fill('3');
      await window.find('pullStart').click();
      await window.find('schedule').waitFor();
    }),
  },
  {
    name: 'Import from Prometheus',
    query: 'idle=watching',
    open: command('import from', (window) => window.page.locator('dialog[open]').waitFor()),
  },
  {
    name: 'metrics for Prometheus',
    query: 'idle=watching',
    open: command('serve metrics', (window) => window.page.locator('dialog[open]').waitFor()),
  },
  {
    name: 'clock page',
    query: 'idle=watching',
    open: command('clock page', (window) => window.find('clockPageDialog').waitFor()),
  },
  {
    name: 'clock page that is served',
    query: 'idle=watching',
    open: command('clock page', async (window) => {
      await window.find('clockPageSwitch').click();
      await window.find('clockPageRow').first().waitFor();
    }),
  },
  { name: 'removed node', query: 'scenario=fleet742', open: nodeKey('tester-1', 'Delete', 'notice') },
  {
    name: 'notices',
    query: 'idle=watching',
    open: async (window) => {
      await window.sendShellEvent('problem', 'The engine ended unexpectedly and was restarted.');
      await window.find('notice').waitFor();
    },
  },
  { name: 'spot check', query: 'scenario=pull742', open: key('b', 'spotCheck') },
  { name: 'settings', query: 'idle=watching', open: key('Control+,', 'settingsKey') },
  { name: 'keys', query: 'idle=watching', open: key('?', 'keysDialog') },
  {
    name: 'about',
    query: 'idle=watching',
    open: command('about and', (window) => window.find('noticeText').waitFor()),
  },
  { name: 'palette', query: 'scenario=fail256', open: key('Control+k', 'palette') },
];
