import { expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

let window: WindowPage;
const picture = async (name: string): Promise<void> => {
  const folder = process.env['FULLHOUSE_PICTURES'];
  if (folder) await window.page.screenshot({ path: `${folder}/${name}.png` });
};

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

it.each(['dark', 'light'] as const)(
  'adds pods of a cluster after a check of access, by the keyboard: %s',
  async (theme) => {
    await window.show(`scenario=none&theme=${theme}`);
    await window.page.setViewportSize({ width: 1280, height: 800 });
    await window.page.keyboard.press('n');
    // The view is drawn first.
    await expect.poll(() => window.find('addAddress').evaluate((each) => each === document.activeElement)).toBe(true);
    await window.page.keyboard.press('Tab');
    await expect
      .poll(() => window.find('addKubernetes').evaluate((each) => each === document.activeElement))
      .toBe(true);
    await window.page.keyboard.press('Enter');
    const context = window.find('kubernetesContext');
    await expect.poll(() => context.locator('option').allTextContents()).toEqual(['staging (current)', 'production']);
    expect(await context.evaluate((each) => each === document.activeElement)).toBe(true);
    expect(await window.page.getByTestId('kubernetes-namespace').getAttribute('placeholder')).toBe('load');

    await context.selectOption('production');
    await window.find('kubernetesCheck').click();
    const access = window.find('kubernetesAccess');
    await expect.poll(() => access.textContent()).toContain("Testers can't run there");
    expect(await access.textContent()).toContain('may not create jobs');

    await context.selectOption('');
    await expect.poll(() => access.count()).toBe(0);
    await window.find('kubernetesCheck').click();
    await expect.poll(() => access.textContent()).toContain('Kubernetes v1.33.4, context staging, namespace load');
    expect(await access.textContent()).not.toContain("can't run");
    await picture(`kubernetes-${theme}`);

    const add = window.find('kubernetesAdd');
    await window.page.getByTestId('kubernetes-replicas').fill('0');
    await expect.poll(() => add.isDisabled()).toBe(true);
    await window.page.getByTestId('kubernetes-replicas').fill('20');
    expect(await add.isDisabled()).toBe(true);
    await window.page.getByTestId('kubernetes-image').fill('registry.example/load/agent:1');
    await window.page.getByTestId('kubernetes-name').fill('load');
    await window.page.keyboard.press('Enter');
    await expect.poll(() => window.find('kubernetesDialog').count()).toBe(0);
    await expect.poll(() => window.page.getByRole('row', { name: /load/ }).count()).toBeGreaterThan(0);
    expect(window.errors).toEqual([]);
  },
);

it('reports an unusable kubeconfig in the dialog', async () => {
  await window.show('scenario=none');
  await window.page.keyboard.press('n');
  await window.find('addKubernetes').click();
  await window.page.getByTestId('kubernetes-kubeconfig').fill('/absent');
  const dialog = window.find('kubernetesDialog');
  await expect.poll(() => dialog.textContent()).toContain('There is no kubeconfig at /absent.');
  await window.page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
});
