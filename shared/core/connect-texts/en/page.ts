/** The words of the connect page. `{name}` is a placeholder; a text with `one` and `other` depends on a count (`fillCount`). */
export const EN_PAGE = {
  skip: 'Skip to the content',
  language: 'Language',
  connectTo: 'Connect your domain to {app}',
  connectedTo: 'Connected to {app}',
  inDns: 'In DNS: {hostname}',
  lookAlike:
    'This name has letters that look like others. Written out, it is {unicode}. Continue only if this is the name that you mean.',
  testTitle: 'This is a test domain.',
  testText:
    "Your customers will see the same page. A timer takes the domain through the steps, usually within ten seconds. You don't need to add a DNS record, we don't look for one, and no visitors are affected.",
  closeUntil: 'We keep looking until {time}.',
  close: 'We keep looking.',
  reload: 'Reload this page to see the current status.',
  offline: "We can't reach the server at the moment. This page keeps trying.",
  copied: 'Copied',
  copiedWhat: 'Copied {what}',
  copiedLink: 'Copied link to this page',
  copyFailed: 'Could not copy. Select the text instead.',
  selectIt: 'Select it',
  justNow: 'just now',
  soon: 'in a few seconds',
  utc: '{time} UTC',

  steps: 'Steps to a live domain',
  stepDone: '(done)',
  stepNow: '(now)',
  stepLater: '(not started)',
  stepRecord: { title: 'Record found', now: 'Looking for it…' },
  stepConfirmed: { title: 'Confirmed', now: 'Confirming worldwide' },
  stepSecured: { title: 'Secured', now: 'Certificate for https' },
  stepLive: { title: 'Live', now: 'Ready for visitors' },
  openHostname: 'Open {hostname}',

  addRecords: { one: 'Add this record at {provider}', other: 'Add these {count} records at {provider}' },
  setRecords: { one: 'Set this record at {provider}', other: 'Set these {count} records at {provider}' },
  yourProvider: 'your DNS provider',
  keptRecords: { one: 'DNS record for this connection', other: 'DNS records for this connection' },
  removableRecords: { one: 'DNS record that you can delete', other: 'DNS records that you can delete' },
  wholeRecords: { one: 'The whole record', other: 'All records' },
  newProof:
    'This domain went live with another service in the meantime. To move it here, use this value: the one from before no longer works.',
  recordOf: 'Record {at} of {count}',
  oneClickText: {
    one: 'Sign in to {provider} and confirm. It adds the record for you, and you return to this page.',
    other: 'Sign in to {provider} and confirm. It adds the records for you, and you return to this page.',
  },
  oneClickButton: 'Connect automatically with {provider}',
  oneClickElse: { one: 'Or add the record yourself:', other: 'Or add the records yourself:' },
  oneClickWaits: 'Waiting for {provider}. Once you have confirmed there, this page continues by itself.',
  fixAt: 'Fix this at {provider}',
  openRecords: 'Open the DNS records of {domain}',
  usuallyThere: 'You usually find them where you bought {domain}.',
  enterRecords: { one: 'Enter this in the form', other: 'Enter each record in the form' },
  saveRecords: 'Save. We do the rest.',
  openProvider: 'Open {provider}',
  showMeHow: 'Show me how, step by step',
  standsForDomain: 'This stands for {domain} itself.',
  withoutDomain: "Enter exactly this; don't add {domain}.",
  fieldType: 'Type',
  fieldName: 'Name',
  fieldValue: 'Value',
  leaveEmpty: 'leave it empty',
  copy: 'Copy',
  copyWhat: 'Copy {what}',
  whatField: 'the {field}',
  whatFieldOf: 'the {field} of record {at}',
  copyLink: 'Copy link',
  copyLinkWhat: 'Copy link to this page',

  notProvider: 'Not {provider}?',
  whichProvider: 'Which DNS provider do you use?',
  chooseProvider: 'DNS provider',
  anotherProvider: 'Another provider',
  showSteps: 'Show its steps',

  toFix: 'What to fix',
  weSee: 'What we see',
  weSeeNow: 'What we see now',
  nothing: 'nothing',
  shouldBe: 'What it should be',
  whatShouldBe: 'what it should be',
  toDo: 'What to do',
  addRecord: 'Add this record',
  changeRecord: 'Change this record',
  deleteRecord: 'Delete this record',
  replaceValue: 'Replace',
  withValue: 'with',
  whatChangedName: 'the Name to change',
  whatNewValue: 'the new Value',

  checks: 'Checks',
  notFoundYet: {
    one: 'We have not found the record yet.',
    other: 'We have not found the records yet.',
  },
  notChecked: 'Not checked yet',
  lastChecked: 'Last checked {time}',
  nextCheck: 'Next check {time}',
  checkNow: 'Check now',
  checkAgain: 'Check again',
  tryAgain: 'Try again now',

  moveTitle: 'Does {hostname} have visitors today?',
  moveText: {
    one: 'Then add this record first. It changes nothing for your visitors, and lets us prepare the certificate before you change the record above.',
    other:
      'Then add this record first. It changes nothing for your visitors, and lets us prepare the certificate before you change the records above.',
  },
  moveWww: 'For {hostname}, add this record too:',
  whatFieldOfFirst: 'the {field} of the first record',

  notifyTitle: 'Email me when it is live',
  address: 'Your email address',
  notifyButton: 'Email me',
  notifyUse:
    'We email you to confirm your address, when the domain is live, and if its connection breaks later. Nothing else.',

  colleagueTitle: 'Does someone else manage the domain?',
  colleagueText: "Send them the link to this page. They see the same page and don't need an account.",
  writeMail: 'Write an email',
  askTitle: 'Ask {app}',
  contactApp: 'Contact {app}',
  backToApp: 'Back to {app}',
} as const;

/** The words of the page for each status of a domain. `{domain}` is the registrable domain. */
export const EN_STATUS = {
  pending: {
    headline: { one: 'Waiting for your DNS record', other: 'Waiting for your DNS records' },
    text: 'We keep looking, so you can close this page and come back later.',
  },
  switch: {
    headline: 'You can switch now',
    text: 'The certificate for {hostname} is in place. Your visitors will not notice the change.',
  },
  fix: {
    headline: 'One thing to fix',
    text: "We cannot connect {hostname} yet. We continue automatically once it's fixed.",
  },
  appFix: {
    headline: '{app} needs to fix something',
    text: 'Your DNS record is correct, so leave it as it is. Once {app} has fixed its own address, {hostname} connects automatically.',
  },
  verifying: {
    headline: { one: 'We found your record', other: 'We found your records' },
    text: "Now we wait until the change is visible worldwide. This usually takes a few minutes. You don't need to do anything else.",
  },
  issuing: {
    headline: { one: 'Your record is correct', other: 'Your records are correct' },
    text: 'We are getting the security certificate (the padlock in the address bar). This usually takes less than a minute.',
  },
  active: {
    headline: 'Your domain is live',
    text: {
      one: 'Visitors to {hostname} now reach {app} over https. Leave the DNS record in place: the connection depends on it.',
      other:
        'Visitors to {hostname} now reach {app} over https. Leave the DNS records in place: the connection depends on it.',
    },
  },
  activeTest: {
    headline: 'Your test domain is live',
    text: 'With a real domain, visitors to {hostname} would reach {app} over https. In this test, nothing changes for them.',
  },
  broken: {
    headline: 'The connection is interrupted',
    text: 'Once your DNS is correct, we reconnect {hostname} automatically.',
  },
  failed: {
    headline: 'We could not get a security certificate yet',
    text: {
      one: 'Your DNS record is correct, but we could not get the certificate (the padlock in the address bar). We try again every day. Once the problem below is fixed, you can also try again right away.',
      other:
        'Your DNS records are correct, but we could not get the certificate (the padlock in the address bar). We try again every day. Once the problem below is fixed, you can also try again right away.',
    },
  },
  failedWaits: {
    headline: 'The security certificate takes longer',
    text: {
      one: "Your DNS record is correct. We could not get the certificate yet (the padlock in the address bar), and try again automatically. You don't need to do anything.",
      other:
        "Your DNS records are correct. We could not get the certificate yet (the padlock in the address bar), and try again automatically. You don't need to do anything.",
    },
  },
  failedRenewal: {
    headline: 'We could not renew the security certificate',
    text: 'Your domain keeps working for now. We try again every day. Once the problem below is fixed, you can also try again right away.',
  },
  expired: {
    headline: 'Setup timed out',
    text: {
      one: 'We did not find the DNS record within three days, so we have stopped looking. Ask {app} to restart the setup; this link will work again.',
      other:
        'We did not find the DNS records within three days, so we have stopped looking. Ask {app} to restart the setup; this link will work again.',
    },
  },
  held: {
    headline: 'This domain is under review',
    text: "It is paused until the review is complete, and then continues automatically. You don't need to do anything. If you have questions, ask {app}.",
  },
  deleted: {
    headline: 'This domain is no longer connected',
    text: {
      one: '{app} has removed it. You can now delete the DNS record that you added for it.',
      other: '{app} has removed it. You can now delete the DNS records that you added for it.',
    },
  },
} as const;
