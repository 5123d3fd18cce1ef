import type { Texts } from '../catalog.ts';

export const DE_MESSAGES: Texts['messages'] = {
  checking: 'Wir prüfen gerade. Das Ergebnis erscheint hier in wenigen Sekunden.',
  checkingUnscripted: 'Laden Sie die Seite dann neu.',
  checkedRecently:
    'Wir haben erst vor wenigen Sekunden geprüft. Bitte warten Sie 15 Sekunden zwischen zwei Prüfungen.',
  nothingToCheck: 'Im Moment gibt es nichts zu prüfen.',
  checkProvider:
    'Sie sind von Ihrem DNS-Anbieter zurück. Wir suchen die Änderung, und hier geht es von selbst weiter.',
  checkProviderRefused:
    'Ihr DNS-Anbieter hat nichts geändert. Sie können es erneut versuchen oder den Eintrag selbst anlegen.',
  mailSent: 'Bitte schauen Sie in Ihr Postfach. Wir haben Ihnen einen Bestätigungslink geschickt.',
  mailAddress: 'Das sieht nicht nach einer E-Mail-Adresse aus. Sie sollte wie ada@example.com aussehen.',
  mailTooOften: 'Hier wurden zu viele E-Mails angefordert. Bitte versuchen Sie es morgen wieder.',

  refused: {
    headline: 'Das hat nicht funktioniert',
    text: 'Wir konnten Ihre Anfrage nicht annehmen. Bitte öffnen Sie die Seite noch einmal über ihren Link und versuchen Sie es erneut.',
  },
  notFound: {
    headline: 'Dieser Link funktioniert nicht',
    text: 'Er ist unvollständig oder nicht mehr gültig. Bitten Sie die Person, von der Sie ihn haben, um einen neuen.',
  },
  failed: {
    headline: 'Bei uns ist etwas schiefgegangen',
    text: 'Bitte versuchen Sie es gleich noch einmal. Es ist nichts verloren, und die Einrichtung läuft automatisch weiter.',
  },
  busy: {
    headline: 'Wir sind gerade ausgelastet',
    text: 'Bitte versuchen Sie es gleich noch einmal. Es ist nichts verloren, und die Einrichtung läuft automatisch weiter.',
  },

  mailTitle: 'E-Mail zu {hostname}',
  confirmTitle: 'Sollen wir Ihnen schreiben?',
  confirmText:
    'Wir schreiben Ihnen, sobald {hostname} mit {app} verbunden ist, und falls diese Verbindung später abbricht. Sonst nichts.',
  confirmYes: 'Ja, schreiben Sie mir',
  confirmNo: 'Ich habe das nicht angefordert',
  confirmedTitle: 'Ihre Adresse ist bestätigt',
  confirmedText:
    'Sie bekommen eine E-Mail, sobald {hostname} mit {app} verbunden ist, und falls diese Verbindung später abbricht. Sie können diese Seite schließen.',
  confirmedNo: 'Doch keine E-Mails',
  stopTitle: 'Keine E-Mails mehr?',
  stopText: 'Wir schreiben Ihnen nicht mehr zu {hostname} und löschen Ihre Adresse.',
  stopButton: 'Keine E-Mails mehr',
  stoppedTitle: 'Sie bekommen keine E-Mails mehr',
  stoppedText: 'Wir haben Ihre Adresse gelöscht. Sie können diese Seite schließen.',
  linkEndedTitle: 'Dieser Link ist nicht mehr gültig',
  linkEndedText: 'Dafür verschicken wir keine E-Mails mehr. Sie können diese Seite schließen.',
};

export const DE_MAILS: Texts['mails'] = {
  confirmSubject: 'Bestätigen Sie Ihre E-Mail-Adresse für {hostname}',
  confirmAsked: 'Sie haben uns gebeten, Ihnen Bescheid zu geben, sobald {hostname} mit {app} verbunden ist.',
  confirmOpen: 'Um diese E-Mail zu bekommen, öffnen Sie diese Seite und bestätigen Sie Ihre Adresse:',
  confirmButton: 'Adresse bestätigen',
  confirmIgnore:
    'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Wir schreiben dann nicht wieder.',
  liveSubject: '{hostname} ist online',
  liveText:
    '{hostname} ist mit {app} verbunden und über HTTPS erreichbar. Lassen Sie den DNS-Eintrag bestehen.',
  brokenSubject: '{hostname} ist nicht mehr erreichbar: Der DNS-Eintrag muss korrigiert werden',
  brokenText: '{hostname} führt nicht mehr zu {app}, weil sich die DNS-Einstellungen geändert haben.',
  toDo: 'Was zu tun ist:',
  onlyThese:
    'Sie haben diese E-Mail angefordert. Wir schreiben, wenn die Domain online geht und wenn ihre Verbindung abbricht.',
  stop: 'Um keine E-Mails mehr zu bekommen, öffnen Sie diese Seite:',

  hello: 'Guten Tag,',
  pleaseAdd: {
    one: 'könnten Sie bitte den folgenden DNS-Eintrag für {domain} anlegen? Er verbindet {hostname} mit {app}.',
    other:
      'könnten Sie bitte die folgenden DNS-Einträge für {domain} anlegen? Sie verbinden {hostname} mit {app}.',
  },
  pleaseChange:
    'könnten Sie bitte die folgende Änderung für {domain} vornehmen? Sie verbindet {hostname} mit {app}.',
  whatToDo: 'Das ist laut {app} zu tun:',
  afterwards: {
    one: 'Nach der Änderung soll der DNS-Eintrag so lauten:',
    other: 'Nach der Änderung sollen die DNS-Einträge so lauten:',
  },
  pageTells: 'Diese Seite zeigt die Schritte und ob es funktioniert hat:',
  thanks: 'Vielen Dank!',
  subjectAdd: { one: 'DNS-Eintrag für {hostname}', other: 'DNS-Einträge für {hostname}' },
  subjectChange: 'Eine Änderung für {hostname}',
  restartSubject: 'Bitte starten Sie die Einrichtung von {hostname} neu',
  questionSubject: 'Eine Frage zu {hostname}',
  aboutPage: 'es geht um die Einrichtung von {hostname} für {app}, auf dieser Seite:',
  field: '{label}: {value}',
};
