import { checkMachine, type DoctorFinding } from '../doctor/check-machine.ts';
import { checkServer } from '../doctor/check-server.ts';
import type { Style } from '../output/output.ts';
import { plainText, withoutSecrets } from '../output/plain-text.ts';
import { BaseCommand } from '../runtime/base-command.ts';

export class Doctor extends BaseCommand {
  static override description =
    "Checks what commands depend on: Node, the stored keys, the proxy, the server, the key, the clock, and the app's own state. It changes nothing and shows no key. It ends with the exit code of the first problem.";
  static override examples = [
    '<%= config.bin %> doctor',
    '<%= config.bin %> doctor --profile production --json',
  ];

  async run(): Promise<number | undefined> {
    const { flags } = await this.parse(Doctor);
    const findings = [
      ...(await checkMachine(this.config.version, this.world)),
      ...(await checkServer(flags, this.world)),
    ];
    const data: DoctorFinding[] = JSON.parse(withoutSecrets(JSON.stringify(findings)));
    const width = Math.max(...data.map(({ check }) => check.length));
    this.output.result({ data }, () =>
      data.flatMap(({ check, result, found, fix }) => [
        `${this.output.paint(STYLES[result], MARKS[result])} ${check.padEnd(width)}  ${plainText(found)}`,
        ...(fix === undefined ? [] : [`  ${' '.repeat(width)}  ${plainText(fix)}`]),
      ]),
    );
    return data.find(({ result }) => result === 'problem')?.exit;
  }
}

const MARKS: Readonly<Record<DoctorFinding['result'], string>> = { ok: '✓', warning: '!', problem: '✗' };
const STYLES: Readonly<Record<DoctorFinding['result'], Style>> = {
  ok: 'green',
  warning: 'yellow',
  problem: 'red',
};
