import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { expect, test } from 'vitest';
import { createSmtpMailer } from '../../service/smtp-mailer.ts';
import type { Mail } from '../../shared/ports/accounts.ts';
import { headerOf, partOf, startMailServer } from '../fixtures/smtp-server.ts';

const MAIL: Mail = {
  to: 'ada@example.com',
  subject: 'careers.acme.com is live',
  text: 'careers.acme.com is connected to Bücher & Söhne.\n',
  html: '<p>careers.acme.com is connected to Bücher &#38; Söhne.</p>\n',
  message_id: 'sub_1.live@edge.example',
  unsubscribe_url: 'https://api.example/connect/mail/abc/unsubscribe',
};

function refusing(responseCode: number): SMTPServerOptions {
  return {
    onRcptTo(_address, _session, done) {
      done(Object.assign(new Error('no'), { responseCode }));
    },
  };
}

function refusingData(responseCode: number): SMTPServerOptions {
  return {
    onData(stream, _session, done) {
      stream.resume().once('end', () => done(Object.assign(new Error('no'), { responseCode })));
    },
  };
}

/** Starts a server that never responds, and records the clients that connect. */
async function startSilent() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.resume().on('error', () => undefined));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    sockets,
    url: `smtp://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('the mailer sends a mail as text and HTML, with the headers that mail clients need', async () => {
  await using smtp = await startMailServer();
  using mailer = closing(createSmtpMailer(smtp.url, 'Nameplate <connect@service.example>'));
  expect(await mailer.send(MAIL)).toBe('sent');
  const [mail] = smtp.received;
  expect([mail?.from, mail?.to]).toEqual(['connect@service.example', ['ada@example.com']]);
  for (const line of [
    'From: Nameplate <connect@service.example>',
    'To: ada@example.com',
    'Subject: careers.acme.com is live',
    'Message-ID: <sub_1.live@edge.example>',
    'Auto-Submitted: auto-generated',
    'List-Unsubscribe: <https://api.example/connect/mail/abc/unsubscribe>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    'Content-Type: text/plain; charset=utf-8',
  ]) {
    expect(mail?.source).toContain(`${line}\r\n`);
  }
  expect(mail?.source).toContain('B=C3=BCcher & S=C3=B6hne');
  if (mail === undefined) throw new Error('no mail came');
  expect(headerOf(mail, 'Content-Type')).toMatch(/^multipart\/alternative/);
  expect(partOf(mail, 'text/html')).toContain('Bücher &#38; Söhne');
});

test.each([
  ['an address that does not exist', refusing(550)],
  ['a mail that the server does not want', refusingData(554)],
])('the mailer treats %s as a permanent refusal', async (_, options) => {
  await using smtp = await startMailServer(options);
  using mailer = closing(createSmtpMailer(smtp.url, 'connect@service.example'));
  expect(await mailer.send(MAIL)).toBe('refused');
});

test.each([
  ['a mailbox that is busy', () => startMailServer(refusing(451))],
  ['a server that has no room for the mail', () => startMailServer(refusingData(452))],
  [
    'a server that refuses the sender',
    () =>
      startMailServer({
        onMailFrom(_address, _session, done) {
          done(Object.assign(new Error('who are you'), { responseCode: 550 }));
        },
      }),
  ],
  [
    'a server that is not running',
    async () => ({ url: 'smtp://127.0.0.1:1', [Symbol.asyncDispose]: async () => undefined }),
  ],
])('the mailer treats %s as a temporary error', async (_, start) => {
  await using smtp = await start();
  using mailer = closing(createSmtpMailer(smtp.url, 'connect@service.example'));
  await expect(mailer.send(MAIL)).rejects.toThrow();
});

test('several mails to a silent mail server each end at their own time limit', async () => {
  await using silent = await startSilent();
  using mailer = closing(createSmtpMailer(silent.url, 'connect@service.example', { send_ms_max: 500 }));
  const sends = Array.from({ length: 8 }, () => mailer.send(MAIL));
  await expect.poll(() => silent.sockets.length).toBe(8);
  const ends = await Promise.allSettled(sends);
  expect(ends.map(({ status }) => status)).toEqual(Array(8).fill('rejected'));
});

test('the mailer reports a mail as not sent if it was closed before the mail server had all of the mail', async () => {
  await using silent = await startSilent();
  using mailer = closing(createSmtpMailer(silent.url, 'connect@service.example'));
  const sending = mailer.send(MAIL);
  await expect.poll(() => silent.sockets.length).toBe(1);
  mailer.close();
  await expect(sending).rejects.toThrow();
});

test('the mailer reports a mail as sent once the mail server has all of it, even without a response', async () => {
  const taken = Promise.withResolvers<void>();
  await using smtp = await startMailServer({
    onData: (stream) => void stream.resume().once('end', taken.resolve),
  });
  using mailer = closing(createSmtpMailer(smtp.url, 'connect@service.example'));
  const sending = mailer.send(MAIL);
  await taken.promise;
  mailer.close();
  expect(await sending).toBe('sent');
});

test('the mailer sends a password without TLS only to a mail server on this machine', async () => {
  const passwords: unknown[] = [];
  await using smtp = await startMailServer({
    allowInsecureAuth: true,
    onAuth({ password }, _session, done) {
      passwords.push(password);
      done(null, { user: 'nameplate' });
    },
  });
  const port = new URL(smtp.url).port;
  using ours = closing(createSmtpMailer(`smtp://nameplate:secret@127.0.0.1:${port}`, 'a@service.example'));
  expect(await ours.send(MAIL)).toBe('sent');
  expect(passwords.splice(0)).toEqual(['secret']);
  // This URL leads to the same server, but 0.0.0.0 is not a loopback address, so the mailer requires STARTTLS.
  using other = closing(createSmtpMailer(`smtp://nameplate:secret@0.0.0.0:${port}`, 'a@service.example'));
  await expect(other.send(MAIL)).rejects.toThrow(/STARTTLS/);
  expect(passwords).toEqual([]);
});

test("a line break in a mail's address or subject adds no header or recipient", async () => {
  await using smtp = await startMailServer();
  using mailer = closing(createSmtpMailer(smtp.url, 'connect@service.example'));
  await mailer.send({ ...MAIL, subject: 'live\r\nBcc: eve@example.com' });
  expect(smtp.received[0]?.to).toEqual(['ada@example.com']);
  expect(smtp.received[0]?.source).not.toMatch(/^Bcc:/m);
});

function closing(mailer: ReturnType<typeof createSmtpMailer>) {
  return { ...mailer, [Symbol.dispose]: () => mailer.close() };
}
