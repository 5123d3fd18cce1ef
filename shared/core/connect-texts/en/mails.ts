/** The mails to a subscriber, and the mail that a customer sends to a colleague. */
export const EN_MAILS = {
  confirmSubject: 'Confirm your email address for updates about {hostname}',
  confirmAsked: 'You asked us to tell you when {hostname} is connected to {app}.',
  confirmOpen: 'To get that email, open this page and confirm your address:',
  confirmIgnore: 'If you did not ask for this, ignore this email. We will not write again.',
  liveSubject: '{hostname} is live',
  liveText: '{hostname} is connected to {app} and works over HTTPS:',
  brokenSubject: '{hostname} has stopped working: its DNS record needs a fix',
  brokenText: '{hostname} no longer reaches {app}, because its DNS has changed.',
  toDo: 'What to do:',
  onlyThese: 'You asked for this email. We write when the domain goes live and when its connection breaks.',
  stop: 'To get no more emails, open this page:',

  hello: 'Hello,',
  pleaseAdd: {
    one: 'could you please add the DNS record below for {domain}? It connects {hostname} to {app}.',
    other: 'could you please add the DNS records below for {domain}? It connects {hostname} to {app}.',
  },
  pleaseChange: 'could you please make the change below for {domain}? It connects {hostname} to {app}.',
  whatToDo: 'Here is what to do, according to {app}:',
  afterwards: {
    one: 'After the change, the DNS record should be:',
    other: 'After the change, the DNS records should be:',
  },
  pageTells: 'This page shows the steps and tells you whether it worked:',
  thanks: 'Thank you!',
  subjectAdd: { one: 'DNS record for {hostname}', other: 'DNS records for {hostname}' },
  subjectChange: 'A change for {hostname}',
  restartSubject: 'Please restart the setup of {hostname}',
  questionSubject: 'A question about {hostname}',
  aboutPage: 'this is about the setup of {hostname} for {app}, on this page:',
  field: '{label}: {value}',
} as const;
