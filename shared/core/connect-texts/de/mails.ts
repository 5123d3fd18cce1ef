import type { Texts } from '../catalog.ts';

export const DE_MAILS: Texts['mails'] = {
  confirmSubject: 'Bestätigen Sie Ihre E-Mail-Adresse für {hostname}',
  confirmAsked: 'Sie haben uns gebeten, Ihnen Bescheid zu geben, sobald {hostname} mit {app} verbunden ist.',
  confirmOpen: 'Um diese E-Mail zu bekommen, öffnen Sie diese Seite und bestätigen Sie Ihre Adresse:',
  confirmIgnore:
    'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Wir schreiben dann nicht wieder.',
  liveSubject: '{hostname} ist online',
  liveText: '{hostname} ist mit {app} verbunden und über HTTPS erreichbar:',
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
