import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { boolean } from '@oclif/core/flags';
import { createLocalCa } from '../../../emulator/edge/local-ca.ts';
import { emulatorStateFolder } from '../../../emulator/registry.ts';
import { systemClock } from '../../../shared/adapters/system.ts';
import { connectControl } from '../../emulator/emulator-control.ts';
import { startError } from '../../emulator/emulator-flags.ts';
import { type Machine, type TrustSystem, trustSystems } from '../../emulator/trust-systems.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { CliError, nullOn } from '../../runtime/cli-error.ts';
import type { SettingsFlags } from '../../settings/settings.ts';

/** The certificate authority of the emulator's edge. */
interface Ca {
  /** The CA certificate in PEM. */
  certificate: string;
  /** The path of the CA certificate; null if the emulator has it only in memory. */
  file: string | null;
  /** The edge's address; missing if no emulator is running. */
  edge_url?: string;
}

/** The edge's default address. */
const EDGE_URL = 'http://127.0.0.1:4401';

/** If the certificate is only in memory, the printed commands read this file in the current folder. */
const PEM_FILE = 'nameplate-emulator-ca.pem';

export class EmulatorTrust extends BaseCommand {
  static override description =
    "Prints the commands that make a system or a program trust the certificate authority of the emulator's edge, and those that undo it. It installs nothing by itself. The authority belongs to your user and lasts for 90 days. With --ephemeral, the emulator has its own, which is gone when it stops.";
  static override examples = [
    '<%= config.bin %> emulator trust',
    '<%= config.bin %> emulator trust --pem > ca.pem',
  ];
  static override flags = { pem: boolean({ summary: 'Print only the certificate' }) };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EmulatorTrust);
    const { certificate: pem, file, edge_url = EDGE_URL } = await this.#findCa(flags);
    const { certificate, name, valid_until } = read(pem);
    const edgePort = portOf(edge_url);
    const systems = trustSystems({ file: file ?? PEM_FILE, name, edge_port: edgePort }, thisMachine());
    const document = { name, file, valid_until, certificate, systems };
    this.output.result(document, () =>
      flags.pem ? [certificate.trimEnd()] : this.#lines({ name, file, valid_until, systems }),
    );
  }

  /** Returns the CA of the running emulator. If none is running, returns the CA that the next emulator will use. */
  async #findCa(flags: SettingsFlags): Promise<Ca> {
    const control = await nullOn('emulator_not_running', connectControl(flags, this.world));
    if (control !== null) return control.request<Ca>({ method: 'GET', path: '/_emulator/ca' });
    try {
      const { certificate, file } = createLocalCa(emulatorStateFolder(this.world.env), systemClock);
      return { certificate, file };
    } catch (error) {
      throw startError(error);
    }
  }

  #lines({ name, file, valid_until, systems }: Shown): string[] {
    const { paint, fields, prose } = this.output;
    return [
      ...fields([
        ['authority', plainText(name)],
        ['file', file === null ? 'in memory, gone when this emulator stops' : plainText(file)],
        ['valid until', this.output.time(valid_until)],
      ]),
      '',
      ...prose(
        "Nothing was installed. Anyone who gets this authority's key can impersonate any website to the programs that trust it.",
      ),
      ...prose('Trust it in as few places as you need, and undo it when you are done.'),
      ...(file === null
        ? ['', paint('bold', 'First'), `  nameplate emulator trust --pem > ${PEM_FILE}`]
        : []),
      ...systems.flatMap((system) => ['', paint('bold', system.name), ...fields(commandFields(system))]),
    ];
  }
}

interface Shown extends Pick<Ca, 'file'> {
  name: string;
  valid_until: string;
  systems: TrustSystem[];
}

function commandFields({ trust, untrust }: TrustSystem): [string, string][] {
  const named = (name: string, commands: string[]) =>
    commands.map((command, at): [string, string] => [`  ${at === 0 ? name : ''}`, command]);
  return [...named('trust', trust), ...named('untrust', untrust)];
}

/**
 * Parses the certificate and returns the PEM that Node makes of it, so that no other text from the server reaches the terminal.
 *
 * @throws CliError if the certificate is invalid.
 */
function read(pem: string): { certificate: string; name: string; valid_until: string } {
  try {
    const certificate = new X509Certificate(pem);
    const name = /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? '';
    return { certificate: certificate.toString(), name, valid_until: certificate.validToDate.toISOString() };
  } catch (cause) {
    throw new CliError('unexpected', 'The server did not return a certificate.', {
      fix: 'Run nameplate emulator status to check that it is an emulator.',
      cause,
    });
  }
}

function portOf(edgeUrl: string): number {
  const { port } = new URL(URL.canParse(edgeUrl) ? edgeUrl : EDGE_URL);
  return Number(port || 80);
}

function thisMachine(): Machine {
  return { platform: process.platform, families: process.platform === 'linux' ? linuxFamilies() : [] };
}

function linuxFamilies(): string[] {
  try {
    const lines = readFileSync('/etc/os-release', 'utf8').matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm);
    return [...lines].flatMap(([, names = '']) => names.split(' '));
  } catch {
    return []; // Not every Linux has this file. The systems then keep their default order.
  }
}
