/**
 * Makes a package with an installer of electron-installer-debian or electron-installer-redhat.
 * @returns {Promise<string>} its path
 */
export async function runInstaller(installer) {
  await installer.generateDefaults();
  installer.generateOptions();
  await installer.createStagingDir();
  await installer.createContents();
  await installer.createPackage();
  await installer.movePackage();
  return installer.options.packagePaths[0];
}
