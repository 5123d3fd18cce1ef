/** The texts of the results of forms, of error pages, and of pages that mails link to. */
export const EN_MESSAGES = {
  checking: 'We are checking now. The result will appear here in a few seconds.',
  checkingUnscripted: 'Then reload the page.',
  checkedRecently: 'We checked only a few seconds ago. Please wait 15 seconds between checks.',
  nothingToCheck: 'There is nothing to check right now.',
  checkProvider:
    'You are back from your DNS provider. We are looking for the change, and this page continues by itself.',
  checkProviderRefused:
    'Your DNS provider has not changed anything. You can try again, or enter the record yourself.',
  mailSent: 'Please check your inbox. We have sent you a confirmation link.',
  mailAddress: 'This does not look like an email address. It should look like ada@example.com.',
  mailTooOften: 'Too many emails were requested here. Please try again tomorrow.',

  refused: {
    headline: 'This did not work',
    text: 'We could not accept your request. Please open the page again from its link and retry.',
  },
  notFound: {
    headline: "This link doesn't work",
    text: 'It is incomplete or no longer valid. Please ask the person who sent it to you for a new one.',
  },
  failed: {
    headline: 'Something went wrong on our side',
    text: 'Please try again in a moment. Nothing is lost, and your setup continues automatically.',
  },
  busy: {
    headline: 'We are busy at the moment',
    text: 'Please try again in a moment. Nothing is lost, and your setup continues automatically.',
  },

  mailTitle: 'Email about {hostname}',
  confirmTitle: 'Do you want us to email you?',
  confirmText:
    'We will email you when {hostname} is connected to {app}, and if that connection breaks later. Nothing else.',
  confirmYes: 'Yes, email me',
  confirmNo: 'I did not ask for this',
  confirmedTitle: 'Your address is confirmed',
  confirmedText:
    'You will get an email when {hostname} is connected to {app}, and if that connection breaks later. You can close this page.',
  confirmedNo: 'Do not email me after all',
  stopTitle: 'Stop emails?',
  stopText: 'We will send you nothing more about {hostname}, and will delete your address.',
  stopButton: 'Stop emails',
  stoppedTitle: 'You will get no more emails',
  stoppedText: 'We have deleted your address. You can close this page.',
  linkEndedTitle: 'This link is no longer valid',
  linkEndedText: 'We no longer send emails for it. You can close this page.',
} as const;

/** The texts of the mails to a subscriber, and of the mail that a customer sends to a colleague. */
export const EN_MAILS = {
  confirmSubject: 'Confirm your email address for updates about {hostname}',
  confirmAsked: 'You asked us to tell you when {hostname} is connected to {app}.',
  confirmOpen: 'To get that email, open this page and confirm your address:',
  confirmButton: 'Confirm my address',
  confirmIgnore: 'If you did not ask for this, ignore this email. We will not write again.',
  liveSubject: '{hostname} is live',
  liveText: '{hostname} is connected to {app} and works over HTTPS. Leave its DNS record in place.',
  brokenSubject: '{hostname} has stopped working: its DNS record needs a fix',
  brokenText: '{hostname} no longer reaches {app}, because its DNS has changed.',
  toDo: 'What to do:',
  onlyThese: 'You asked for this email. We write when the domain goes live and when its connection breaks.',
  stop: 'To get no more emails, open this page:',

  hello: 'Hello,',
  pleaseAdd: {
    one: 'could you please add the DNS record below for {domain}? It connects {hostname} to {app}.',
    other: 'could you please add the DNS records below for {domain}? They connect {hostname} to {app}.',
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
