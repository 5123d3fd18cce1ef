import { expect, test } from 'vitest';
import { type Machine, trustSystems } from '../../../cli/emulator/trust-systems.ts';

const CERTIFICATE = {
  file: '/home/jo/state/emulator-ca.pem',
  name: 'Nameplate emulator CA 0a1b2c3d',
  edge_port: 4401,
};
const names = (machine: Machine) => trustSystems(CERTIFICATE, machine).map(({ name }) => name);

test.each([
  ['linux', ['debian'], 'Debian, Ubuntu'],
  ['linux', ['ubuntu', 'debian'], 'Debian, Ubuntu'],
  ['linux', ['fedora'], 'Fedora, RHEL'],
  ['linux', ['rocky', 'rhel', 'centos', 'fedora'], 'Fedora, RHEL'],
  ['darwin', [], 'macOS'],
  ['win32', [], 'Windows'],
] as const)(
  'on %s with the families %j, the list of systems begins with %s and has each system once',
  (platform, families, first) => {
    const shown = names({ platform, families });
    expect(shown[0]).toBe(first);
    expect(shown.toSorted()).toEqual(names({ platform: 'freebsd', families: [] }).toSorted());
    expect(new Set(shown).size).toBe(9);
  },
);

test('in each command of emulator trust, a path with spaces and quotation marks stays one shell word', () => {
  const file = "/home/jo's state/ca.pem";
  const [debian, ...others] = trustSystems(
    { ...CERTIFICATE, file },
    { platform: 'linux', families: ['debian'] },
  );
  expect(debian?.trust[0]).toContain(`install -m 644 '/home/jo'\\''s state/ca.pem' /usr`);
  const windows = others.find(({ name }) => name === 'Windows');
  expect(windows?.trust).toEqual([`certutil -user -addstore Root "/home/jo's state/ca.pem"`]);
});

test('in each command of emulator trust, text from a response stays one shell word', () => {
  const evil = { ...CERTIFICATE, file: 'a"; rm -rf ~; "\n$(id)', name: '`id`' };
  for (const { name, trust, untrust } of trustSystems(evil, { platform: 'linux', families: [] })) {
    for (const command of [...trust, ...untrust]) {
      expect({ name, command }).not.toEqual({ name, command: expect.stringContaining('\n') });
      if (name === 'Windows') expect(command.match(/"/g)).toHaveLength(2);
      else expect(command.replaceAll(/'[^']*'/g, '')).not.toMatch(/rm -rf|\$\(|`/);
    }
  }
});
