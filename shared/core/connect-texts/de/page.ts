import type { Texts } from '../catalog.ts';

export const DE_PAGE: Texts['page'] = {
  skip: 'Zum Inhalt springen',
  language: 'Sprache',
  connectTo: 'Domain mit {app} verbinden',
  connectedTo: 'Mit {app} verbunden',
  inDns: 'Im DNS: {hostname}',
  lookAlike:
    'Dieser Name enthält Buchstaben, die anderen zum Verwechseln ähnlich sehen. Ausgeschrieben lautet er {unicode}. Fahren Sie nur fort, wenn Sie genau diesen Namen meinen.',
  testTitle: 'Das ist eine Test-Domain.',
  testText:
    'Ihre Kunden sehen dieselbe Seite. Ein Timer führt die Domain durch die Schritte, meist in weniger als zehn Sekunden. Sie müssen keinen DNS-Eintrag anlegen, wir suchen keinen, und kein Besucher ist betroffen.',
  closeUntil: 'Wir suchen bis {time} weiter.',
  close: 'Wir suchen weiter.',
  reload: 'Laden Sie diese Seite neu, um den aktuellen Stand zu sehen.',
  offline: 'Der Server ist gerade nicht erreichbar. Diese Seite versucht es weiter.',
  copied: 'Kopiert',
  copiedWhat: 'Kopiert: {what}',
  copiedLink: 'Link zu dieser Seite kopiert',
  copyFailed: 'Kopieren nicht möglich. Markieren Sie stattdessen den Text.',
  selectIt: 'Markieren',
  justNow: 'gerade eben',
  soon: 'in wenigen Sekunden',
  utc: '{time} UTC',

  steps: 'Schritte, bis die Domain online ist',
  stepDone: '(erledigt)',
  stepNow: '(läuft)',
  stepLater: '(steht noch aus)',
  stepRecord: { title: 'Gefunden', now: 'Wir suchen ihn …' },
  stepConfirmed: { title: 'Bestätigt', now: 'Weltweite Bestätigung' },
  stepSecured: { title: 'Gesichert', now: 'Zertifikat für https' },
  stepLive: { title: 'Online', now: 'Bereit für Besucher' },
  openHostname: '{hostname} öffnen',

  addRecords: {
    one: 'Eintrag bei {provider} anlegen',
    other: '{count} Einträge bei {provider} anlegen',
  },
  setRecords: {
    one: 'Eintrag bei {provider} wiederherstellen',
    other: '{count} Einträge bei {provider} wiederherstellen',
  },
  yourProvider: 'Ihrem DNS-Anbieter',
  keptRecords: { one: 'DNS-Eintrag dieser Verbindung', other: 'DNS-Einträge dieser Verbindung' },
  removableRecords: {
    one: 'DNS-Eintrag, den Sie löschen können',
    other: 'DNS-Einträge, die Sie löschen können',
  },
  wholeRecords: { one: 'Der vollständige Eintrag', other: 'Alle Einträge' },
  newProof:
    'Diese Domain ist inzwischen bei einem anderen Dienst online gegangen. Um sie hierher umzuziehen, verwenden Sie diesen Wert: Der frühere gilt nicht mehr.',
  recordOf: 'Eintrag {at} von {count}',
  oneClickText: {
    one: 'Melden Sie sich bei {provider} an und bestätigen Sie. Der Eintrag wird dann für Sie angelegt, und Sie kehren auf diese Seite zurück.',
    other:
      'Melden Sie sich bei {provider} an und bestätigen Sie. Die Einträge werden dann für Sie angelegt, und Sie kehren auf diese Seite zurück.',
  },
  oneClickButton: 'Automatisch mit {provider} verbinden',
  oneClickElse: {
    one: 'Oder legen Sie den Eintrag selbst an:',
    other: 'Oder legen Sie die Einträge selbst an:',
  },
  oneClickWaits:
    'Wir warten auf {provider}. Sobald Sie dort bestätigt haben, geht es auf dieser Seite von selbst weiter.',
  fixAt: 'Bei {provider} korrigieren',
  openRecords: 'DNS-Einträge von {domain} öffnen',
  usuallyThere: 'Meist dort, wo Sie {domain} gekauft haben.',
  enterRecords: { one: 'Im Formular eintragen', other: 'Jeden Eintrag im Formular anlegen' },
  saveRecords: 'Speichern. Den Rest erledigen wir.',
  openProvider: '{provider} öffnen',
  showMeHow: 'Schritt für Schritt zeigen',
  standsForDomain: 'Das steht für {domain} selbst.',
  withoutDomain: 'Genau so eingeben, ohne {domain} dahinter.',
  fieldType: 'Typ',
  fieldName: 'Name',
  fieldValue: 'Wert',
  leaveEmpty: 'leer lassen',
  copy: 'Kopieren',
  copyWhat: 'Kopieren: {what}',
  whatField: '{field}',
  whatFieldOf: '{field} von Eintrag {at}',
  copyLink: 'Link kopieren',
  copyLinkWhat: 'Link kopieren: diese Seite',

  notProvider: 'Nicht {provider}?',
  whichProvider: 'Welchen DNS-Anbieter nutzen Sie?',
  chooseProvider: 'DNS-Anbieter',
  anotherProvider: 'Ein anderer Anbieter',
  showSteps: 'Schritte zeigen',

  toFix: 'Bitte korrigieren',
  weSee: 'Was wir sehen',
  weSeeNow: 'Was wir jetzt sehen',
  nothing: 'nichts',
  shouldBe: 'Was dort stehen soll',
  whatShouldBe: 'was dort stehen soll',
  toDo: 'Was zu tun ist',
  addRecord: 'Diesen Eintrag anlegen',
  changeRecord: 'Diesen Eintrag ändern',
  deleteRecord: 'Diesen Eintrag löschen',
  replaceValue: 'Ersetzen',
  withValue: 'durch',
  whatChangedName: 'Name des Eintrags',
  whatNewValue: 'neuer Wert',

  checks: 'Prüfungen',
  notFoundYet: {
    one: 'Wir haben den Eintrag noch nicht gefunden.',
    other: 'Wir haben die Einträge noch nicht gefunden.',
  },
  notChecked: 'Noch nicht geprüft',
  lastChecked: 'Zuletzt geprüft: {time}',
  nextCheck: 'Nächste Prüfung: {time}',
  checkNow: 'Jetzt prüfen',
  checkAgain: 'Erneut prüfen',
  tryAgain: 'Jetzt erneut versuchen',

  moveTitle: 'Hat {hostname} heute schon Besucher?',
  moveText: {
    one: 'Dann legen Sie zuerst diesen Eintrag an. Für Ihre Besucher ändert sich dadurch nichts, und wir können das Zertifikat vorbereiten, bevor Sie den Eintrag oben ändern.',
    other:
      'Dann legen Sie zuerst diesen Eintrag an. Für Ihre Besucher ändert sich dadurch nichts, und wir können das Zertifikat vorbereiten, bevor Sie die Einträge oben ändern.',
  },
  moveWww: 'Für {hostname} legen Sie auch diesen Eintrag an:',
  whatFieldOfFirst: '{field} des ersten Eintrags',

  notifyTitle: 'Per E-Mail benachrichtigen',
  address: 'Ihre E-Mail-Adresse',
  notifyButton: 'Benachrichtigen',
  notifyUse:
    'Sie bekommen eine E-Mail zur Bestätigung Ihrer Adresse, eine, sobald die Domain online ist, und eine, falls die Verbindung später abbricht. Sonst nichts.',

  colleagueTitle: 'Kümmert sich jemand anderes um die Domain?',
  colleagueText: 'Schicken Sie den Link zu dieser Seite weiter. Dort ist dasselbe zu sehen, ganz ohne Konto.',
  writeMail: 'E-Mail schreiben',
  askTitle: 'Fragen Sie {app}',
  contactApp: '{app} kontaktieren',
  backToApp: 'Zurück zu {app}',
};

export const DE_STATUS: Texts['status'] = {
  pending: {
    headline: { one: 'Warten auf Ihren Eintrag', other: 'Warten auf Ihre Einträge' },
    text: 'Wir suchen weiter. Sie können diese Seite schließen und später wiederkommen.',
  },
  switch: {
    headline: 'Sie können jetzt umstellen',
    text: 'Das Zertifikat für {hostname} liegt bereit. Ihre Besucher merken von der Umstellung nichts.',
  },
  fix: {
    headline: 'Noch eine Korrektur nötig',
    text: 'Wir können {hostname} noch nicht verbinden. Sobald das korrigiert ist, geht es automatisch weiter.',
  },
  appFix: {
    headline: '{app} muss etwas korrigieren',
    text: 'Ihr DNS-Eintrag ist richtig. Lassen Sie ihn so, wie er ist. Sobald {app} die eigene Adresse in Ordnung gebracht hat, wird {hostname} automatisch verbunden.',
  },
  verifying: {
    headline: { one: 'Wir haben Ihren Eintrag gefunden', other: 'Wir haben Ihre Einträge gefunden' },
    text: 'Jetzt warten wir, bis die Änderung weltweit sichtbar ist. Das dauert meist wenige Minuten. Sie müssen nichts weiter tun.',
  },
  issuing: {
    headline: { one: 'Ihr Eintrag ist richtig', other: 'Ihre Einträge sind richtig' },
    text: 'Wir beantragen gerade das Sicherheitszertifikat (das Schloss in der Adressleiste). Das dauert meist weniger als eine Minute.',
  },
  active: {
    headline: 'Ihre Domain ist online',
    text: {
      one: 'Besucher von {hostname} erreichen jetzt {app} über https. Lassen Sie den DNS-Eintrag bestehen: Die Verbindung hängt davon ab.',
      other:
        'Besucher von {hostname} erreichen jetzt {app} über https. Lassen Sie die DNS-Einträge bestehen: Die Verbindung hängt davon ab.',
    },
  },
  activeTest: {
    headline: 'Ihre Test-Domain ist online',
    text: 'Mit einer echten Domain würden Besucher von {hostname} jetzt {app} über https erreichen. In diesem Test ändert sich für sie nichts.',
  },
  broken: {
    headline: 'Die Verbindung ist unterbrochen',
    text: 'Sobald Ihr DNS stimmt, verbinden wir {hostname} automatisch wieder.',
  },
  failed: {
    headline: 'Noch kein Sicherheitszertifikat',
    text: {
      one: 'Ihr DNS-Eintrag ist richtig, aber wir haben das Zertifikat (das Schloss in der Adressleiste) nicht bekommen. Wir versuchen es täglich erneut. Sobald das Problem unten behoben ist, können Sie es auch sofort erneut versuchen.',
      other:
        'Ihre DNS-Einträge sind richtig, aber wir haben das Zertifikat (das Schloss in der Adressleiste) nicht bekommen. Wir versuchen es täglich erneut. Sobald das Problem unten behoben ist, können Sie es auch sofort erneut versuchen.',
    },
  },
  failedWaits: {
    headline: 'Das Zertifikat braucht noch etwas Zeit',
    text: {
      one: 'Ihr DNS-Eintrag ist richtig. Wir haben das Zertifikat (das Schloss in der Adressleiste) noch nicht bekommen und versuchen es automatisch weiter. Sie müssen nichts tun.',
      other:
        'Ihre DNS-Einträge sind richtig. Wir haben das Zertifikat (das Schloss in der Adressleiste) noch nicht bekommen und versuchen es automatisch weiter. Sie müssen nichts tun.',
    },
  },
  failedRenewal: {
    headline: 'Das Sicherheitszertifikat wurde nicht erneuert',
    text: 'Ihre Domain funktioniert vorerst weiter. Wir versuchen es täglich erneut. Sobald das Problem unten behoben ist, können Sie es auch sofort erneut versuchen.',
  },
  expired: {
    headline: 'Die Einrichtung ist abgelaufen',
    text: {
      one: 'Wir haben den DNS-Eintrag drei Tage lang nicht gefunden und deshalb die Suche beendet. Bitten Sie {app}, die Einrichtung neu zu starten. Dieser Link funktioniert dann wieder.',
      other:
        'Wir haben die DNS-Einträge drei Tage lang nicht gefunden und deshalb die Suche beendet. Bitten Sie {app}, die Einrichtung neu zu starten. Dieser Link funktioniert dann wieder.',
    },
  },
  held: {
    headline: 'Diese Domain wird überprüft',
    text: 'Die Domain ist pausiert, bis die Überprüfung abgeschlossen ist. Danach geht es automatisch weiter. Sie müssen nichts tun. Bei Fragen wenden Sie sich an {app}.',
  },
  deleted: {
    headline: 'Diese Domain ist nicht mehr verbunden',
    text: {
      one: '{app} hat sie entfernt. Sie können den DNS-Eintrag, den Sie dafür angelegt haben, jetzt löschen.',
      other:
        '{app} hat sie entfernt. Sie können die DNS-Einträge, die Sie dafür angelegt haben, jetzt löschen.',
    },
  },
};
