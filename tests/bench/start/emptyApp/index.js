'use strict';
// What Electron itself takes: one window with an empty page.
const { app, BrowserWindow } = require('electron');

const createdMs = process.getCreationTime();
void app.whenReady().then(() => {
  const window = new BrowserWindow({ show: false });
  window.once('ready-to-show', () => window.show());
  window.webContents.once('did-finish-load', () =>
    process.stdout.write(`${JSON.stringify({ timing: 'usable', ms: Math.round(Date.now() - createdMs) })}\n`),
  );
  void window.loadURL('data:text/html,');
});
