/** The results of forms, the error pages, and the pages that mails link to. */
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
  linkEndedText: 'We send no emails for it any more. You can close this page.',
} as const;
