import { plainText, shellQuote } from '../output/plain-text.ts';

/** A system or a program with its own list of trusted certificate authorities. */
export interface TrustSystem {
  name: string;
  /** The commands to run, in order. */
  trust: string[];
  untrust: string[];
}

/** The machine that the commands run on. */
export interface Machine {
  platform: NodeJS.Platform;
  /** The Linux distribution: the values of `ID` and `ID_LIKE` in os-release(5). Empty on other systems. */
  families: readonly string[];
}

export interface TrustedFile {
  /** The path of the CA certificate. */
  file: string;
  /** The authority's common name. */
  name: string;
  /** The edge's port, for the example with curl. */
  edge_port: number;
}

/**
 * Returns the commands that trust a CA, and the commands that undo it. This machine's system comes first, then programs, then other
 * systems.
 */
export function trustSystems(certificate: TrustedFile, machine: Machine): TrustSystem[] {
  const [here, elsewhere] = [true, false].map((wanted) =>
    SYSTEMS.filter(({ isHere }) => isHere(machine) === wanted),
  );
  return [...(here ?? []), ...PROGRAMS, ...(elsewhere ?? [])].map(({ name, commands }) => ({
    name,
    ...commands(quoted(certificate)),
  }));
}

interface Described {
  name: string;
  commands(certificate: Quoted): Omit<TrustSystem, 'name'>;
}

interface Quoted {
  file: string;
  name: string;
  edge_port: number;
  /** The file and the name, quoted for the Windows command line. */
  windows: { file: string; name: string };
}

function quoted({ file, name, edge_port }: TrustedFile): Quoted {
  const doubly = (text: string) => `"${plainText(text).replaceAll('"', '')}"`;
  return {
    file: shellQuote([file]),
    name: shellQuote([name]),
    edge_port,
    windows: { file: doubly(file), name: doubly(name) },
  };
}

const DEBIAN_FILE = '/usr/local/share/ca-certificates/nameplate-emulator.crt';
const FEDORA_FILE = '/etc/pki/ca-trust/source/anchors/nameplate-emulator.pem';
const KEYCHAIN = '~/Library/Keychains/login.keychain-db';

const SYSTEMS: readonly (Described & { isHere(machine: Machine): boolean })[] = [
  {
    name: 'Debian, Ubuntu',
    isHere: ({ platform, families }) => platform === 'linux' && families.includes('debian'),
    commands: ({ file }) => ({
      trust: [`sudo install -m 644 ${file} ${DEBIAN_FILE}`, 'sudo update-ca-certificates'],
      untrust: [`sudo rm ${DEBIAN_FILE}`, 'sudo update-ca-certificates --fresh'],
    }),
  },
  {
    name: 'Fedora, RHEL',
    isHere: ({ platform, families }) =>
      platform === 'linux' && families.some((family) => family === 'fedora' || family === 'rhel'),
    commands: ({ file }) => ({
      trust: [`sudo install -m 644 ${file} ${FEDORA_FILE}`, 'sudo update-ca-trust'],
      untrust: [`sudo rm ${FEDORA_FILE}`, 'sudo update-ca-trust'],
    }),
  },
  {
    name: 'macOS',
    isHere: ({ platform }) => platform === 'darwin',
    commands: ({ file, name }) => ({
      trust: [`security add-trusted-cert -r trustRoot -p ssl -k ${KEYCHAIN} ${file}`],
      untrust: [`security remove-trusted-cert ${file}`, `security delete-certificate -c ${name} ${KEYCHAIN}`],
    }),
  },
  {
    name: 'Windows',
    isHere: ({ platform }) => platform === 'win32',
    commands: ({ windows: { file, name } }) => ({
      trust: [`certutil -user -addstore Root ${file}`],
      untrust: [`certutil -user -delstore Root ${name}`],
    }),
  },
];

/** Programs that have their own list of trusted CAs, at least on Linux. */
const PROGRAMS: readonly Described[] = [
  {
    name: 'Chrome and Chromium on Linux (certutil is in libnss3-tools)',
    commands: ({ file, name }) => ({
      trust: ['mkdir -p ~/.pki/nssdb', `certutil -d sql:"$HOME"/.pki/nssdb -A -t C,, -n ${name} -i ${file}`],
      untrust: [`certutil -d sql:"$HOME"/.pki/nssdb -D -n ${name}`],
    }),
  },
  {
    name: 'Firefox on Linux',
    commands: ({ file, name }) => ({
      trust: [inEachProfile(`-A -t C,, -n ${name} -i ${file}`)],
      untrust: [inEachProfile(`-D -n ${name}`)],
    }),
  },
  {
    name: 'Node',
    commands: ({ file }) => ({
      trust: [`export NODE_EXTRA_CA_CERTS=${file}`],
      untrust: ['unset NODE_EXTRA_CA_CERTS'],
    }),
  },
  {
    name: 'curl, one request',
    commands: ({ file, edge_port }) => ({
      trust: [`curl --cacert ${file} https://careers.acme.com.localhost:${edge_port}/`],
      untrust: [],
    }),
  },
  {
    name: 'Python (it then trusts only this authority)',
    commands: ({ file }) => ({
      trust: [`export SSL_CERT_FILE=${file} REQUESTS_CA_BUNDLE=${file}`],
      untrust: ['unset SSL_CERT_FILE REQUESTS_CA_BUNDLE'],
    }),
  },
];

function inEachProfile(command: string): string {
  return `for profile in ~/.mozilla/firefox/*.default*; do certutil -d sql:"$profile" ${command}; done`;
}
