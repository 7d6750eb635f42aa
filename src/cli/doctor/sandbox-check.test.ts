import { describe, expect, test } from 'vitest';
import { machine, said } from './fake-probe.js';
import type { SandboxTrial } from './probe.js';
import { checkSandbox } from './sandbox-check.js';
import { sandboxFix } from './sandbox-fix.js';

type Machine = NonNullable<Parameters<typeof machine>[0]>;

const DENIED: SandboxTrial = { type: 'fails', said: 'bwrap: setting up uid map: Permission denied' };

function withBubblewrap(more: Machine = {}, trial = DENIED) {
  const results = { '/usr/bin/bwrap --version': said('bubblewrap 0.9.0\n') };
  return machine({ programs: { bwrap: '/usr/bin/bwrap' }, results, trySandbox: async () => trial, ...more });
}

const configured = (mode: string): Machine => ({
  files: { '/home/anna/.baton/config.json': JSON.stringify({ sandbox: { mode } }) },
});

describe('the sandbox', () => {
  test('is well only after a real trial', async () => {
    const [finding] = await checkSandbox(withBubblewrap({}, { type: 'holds' }));
    expect(finding).toEqual({ topic: 'sandbox', status: 'ok', text: 'bubblewrap 0.9.0, tried: it holds' });
    expect(await sandboxFix(withBubblewrap({}, { type: 'holds' }))).toEqual([]);
  });

  test.each([
    ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1\n', 'AppArmor', 'apparmor_parser -r'],
    ['/proc/sys/kernel/unprivileged_userns_clone', '0\n', 'unprivileged_userns_clone=0', 'unprivileged_userns_clone=1'],
    ['/proc/sys/user/max_user_namespaces', '0\n', 'max_user_namespaces=0', 'max_user_namespaces=15000'],
  ])('that may not start says why (%s) and how to repair it', async (file, value, why, repair) => {
    const env = withBubblewrap({ files: { [file]: value } });
    const [finding] = await checkSandbox(env);
    expect(finding).toMatchObject({ status: 'warning', fix: 'baton doctor --show-fix sandbox' });
    expect(finding?.text).toContain(why);
    expect(finding?.text).toContain('until fixed: agents use their own sandbox');
    expect((await sandboxFix(env)).join('\n')).toContain(repair);
  });

  test('a switch that allows is not blamed', async () => {
    const files = {
      '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '0\n',
      '/proc/sys/kernel/unprivileged_userns_clone': '1\n',
      '/proc/sys/user/max_user_namespaces': '96349\n',
    };
    const [finding] = await checkSandbox(withBubblewrap({ files }));
    expect(finding?.text).toContain('does not work here: "bwrap: setting up uid map: Permission denied"');
  });

  test('inside a container the declaration is offered, not a switch of the host', async () => {
    const facts = { '/.dockerenv': { kind: 'file', mode: 0o644, uid: 0 } } as const;
    const files = { '/proc/sys/user/max_user_namespaces': '0\n' };
    expect(await sandboxFix(withBubblewrap({ facts, files }))).toContain('baton config set sandbox.mode external');
  });

  test('that starts but lets something through is a warning that names it', async () => {
    const env = withBubblewrap({}, { type: 'leaks', layers: ['network', 'system calls'] });
    const [finding] = await checkSandbox(env);
    expect(finding).toMatchObject({ status: 'warning', text: expect.stringContaining('network, system calls') });
    expect(await sandboxFix(env)).toContain('baton config set sandbox.mode agent');
  });

  test('that is not installed is a warning with the line that installs it', async () => {
    const env = machine({ programs: { dnf: '/bin/dnf' } });
    expect(await checkSandbox(env)).toMatchObject([{ status: 'warning' }]);
    expect(await sandboxFix(env)).toEqual(['sudo dnf install -y bubblewrap', 'baton doctor']);
  });

  test.each([
    ['external', 'ok', 'container (declared by sandbox.mode=external)'],
    ['agent', 'ok', "the agents' own"],
    ['none', 'warning', 'off (sandbox.mode=none)'],
  ])('declared as %s is believed', async (mode, status, text) => {
    expect(await checkSandbox(machine(configured(mode)))).toMatchObject([
      { status, text: expect.stringContaining(text) },
    ]);
  });
});

describe('on one system', () => {
  test('an AppArmor profile names the program that was found, unless its path could break out of the profile', async () => {
    const files = { '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1' };
    const at = (path: string) =>
      sandboxFix(machine({ programs: { bwrap: path }, trySandbox: async () => DENIED, files }));
    expect(await at('/opt/bin/bwrap')).toContain('profile bwrap /opt/bin/bwrap flags=(unconfined) {');
    expect(await at('/tmp/a b/{x/bwrap')).toContain('profile bwrap /usr/bin/bwrap flags=(unconfined) {');
  });

  test('macOS has sandbox-exec', async () => {
    const facts = { '/usr/bin/sandbox-exec': { kind: 'file', mode: 0o755, uid: 0 } } as const;
    const results = { '/usr/bin/sandbox-exec -p (version 1)(allow default) /usr/bin/true': said('') };
    expect(await checkSandbox(machine({ platform: 'darwin', facts, results }))).toMatchObject([{ status: 'ok' }]);
    expect(await checkSandbox(machine({ platform: 'darwin' }))).toMatchObject([{ status: 'warning' }]);
  });
});
