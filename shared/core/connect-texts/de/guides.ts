import type { Texts } from '../catalog.ts';

export const DE_GUIDES: Texts['guides'] = {
  signIn: 'Melden Sie sich bei {at} an.',
  signInOpen: 'Melden Sie sich bei {at} an und öffnen Sie {menu}.',
  signInDomains: 'Melden Sie sich bei {at} an und öffnen Sie Ihre Domains.',
  signInChoose: 'Melden Sie sich bei {at} an und wählen Sie {domain}.',
  signInChooseUnder: 'Melden Sie sich bei {at} an und wählen Sie {domain} unter {menu}.',
  signInProject: 'Melden Sie sich bei {at} an, wählen Sie das Projekt und öffnen Sie {menu}.',
  signInTeam: 'Melden Sie sich bei {at} an, wählen Sie das Team und öffnen Sie {menu}.',
  signInSite: 'Melden Sie sich bei {at} an und öffnen Sie {menu} der Website.',
  choose: 'Wählen Sie {domain}.',
  chooseOpen: 'Wählen Sie {domain}, dann {menu}.',
  chooseRecords: 'Wählen Sie {domain} und öffnen Sie die Einträge.',
  chooseClick: 'Wählen Sie {domain} und klicken Sie auf {button}.',
  openRecords: 'Öffnen Sie die Einträge.',
  open: 'Öffnen Sie {menu}.',
  openChoose: 'Öffnen Sie {menu} und wählen Sie {domain}.',
  openClick: 'Öffnen Sie {menu} und klicken Sie neben den Einträgen auf {button}.',
  openBeside: 'Öffnen Sie {menu} neben {domain}.',
  clickBesideOpen: 'Klicken Sie neben {domain} auf {button} und öffnen Sie {menu}.',
  gearBeside: 'Klicken Sie auf das Zahnrad neben {domain} und wählen Sie {menu}.',
  menuBeside: 'Öffnen Sie das Menü neben {domain} und wählen Sie {menu}.',
  pencilBeside: 'Klicken Sie auf den Stift neben {domain}.',
  globeBeside: 'Klicken Sie auf die Weltkugel, {button}, neben {domain}.',
  typeTab: 'Wählen Sie den Reiter des Eintragstyps.',
  typeTabUnder: 'Wählen Sie den Reiter des Eintragstyps unter {menu}.',
  click: 'Klicken Sie auf {button}.',
  clickType: 'Klicken Sie auf {button} und wählen Sie den Typ.',
  clickUnder: 'Klicken Sie unter {menu} auf {button}.',
  clickInType: 'Klicken Sie im Abschnitt des Eintragstyps auf {button}.',
  clickBesideType: 'Klicken Sie neben dem Eintragstyp auf {button}.',
  clickAdvanced:
    'Klicken Sie neben den erweiterten DNS-Einträgen auf {button} und fügen Sie einen Eintrag hinzu.',
  plusBesideType: 'Klicken Sie auf das Pluszeichen neben dem Eintragstyp.',
  addRecord: 'Fügen Sie einen Eintrag hinzu.',
  typeInForm: 'Wählen Sie den Typ im Formular für einen neuen Eintrag.',
  formUnder: 'Füllen Sie das Formular unter {menu} aus.',
  rowForRecord: 'Füllen Sie die Zeile für einen neuen Eintrag aus.',
  formForDomain: 'Nehmen Sie {button} für {domain} selbst und {option} für einen Namen darunter.',
  simpleRouting: 'Lassen Sie die Routing-Richtlinie auf {value} und {option} ausgeschaltet.',

  anySignIn:
    'Melden Sie sich dort an, wo Sie das DNS von {domain} verwalten. Das ist meist die Firma, bei der Sie {domain} gekauft haben, oder die, bei der die Website liegt.',
  anyChoose:
    'Wählen Sie {domain} und öffnen Sie die DNS-Einträge. Die Seite heißt vielleicht DNS, Zone Editor oder Advanced DNS.',
  anyName:
    'Die meisten Anbieter hängen {domain} automatisch an den Namen an. Geben Sie ihn also genau so ein, wie er oben steht. Nimmt das Formular kein @ an, lassen Sie den Namen leer. Endet der gespeicherte Wert mit {domain}, setzen Sie einen Punkt ans Ende des Werts.',
  deleteOthers:
    'Löschen oder ändern Sie jeden anderen Eintrag mit dem Namen {name}: Der CNAME muss der einzige sein.',
  deleteAtApex:
    'Löschen oder ändern Sie A-, AAAA- und CNAME-Einträge, die {domain} selbst schon hat. Behalten Sie die Einträge der Typen MX, NS und TXT.',
  deleteAtApexAndWww:
    'Löschen oder ändern Sie A-, AAAA- und CNAME-Einträge, die {domain} selbst schon hat, und jeden anderen Eintrag mit dem Namen {name}. Behalten Sie die Einträge der Typen MX, NS und TXT.',
  fillOne:
    'Füllen Sie das Formular mit dem {type}-Eintrag oben aus und speichern Sie ihn. Lassen Sie andere Felder, etwa die TTL, wie sie sind.',
  fillMany:
    'Füllen Sie das Formular für jeden der {count} Einträge oben einmal aus und speichern Sie jeden. Lassen Sie andere Felder, etwa die TTL, wie sie sind.',
};

export const DE_CAUTIONS: Texts['cautions'] = {
  oneRecordSet:
    '{at} führt alle Werte mit demselben Namen und Typ in einem Eintrag: Geben Sie sie zusammen ein.',
  submitChanges: 'Eine Änderung gilt erst, wenn Sie sie geprüft und abgeschickt haben.',
  defaultLine: 'Lassen Sie die Leitung auf {value}. Mit einer anderen sehen nur manche Besucher den Eintrag.',
  optionOff: 'Lassen Sie {option} auf {value}.',
  ownRecords:
    '{at} legt für {domain} und www eigene Einträge an: Ändern oder löschen Sie den mit demselben Namen.',
  parkingRecords: 'Eine neue Domain hat Einträge einer Parkseite: Löschen Sie die mit demselben Namen.',
  newZoneRecords:
    'Eine neue Zone hat einen A-Eintrag für {domain} und einen CNAME für alle Namen darunter. Ändern oder löschen Sie den mit demselben Namen.',
  apexRecord:
    'Wenn Sie {domain} selbst verbinden, löschen Sie den {type}-Eintrag, den {at} dort angelegt hat.',
  apexParked:
    'Wenn Sie {domain} selbst verbinden und die Domain neu ist, löschen Sie auch den A-Eintrag namens @ mit dem Wert {value}.',
  presetRecords:
    'Die Voreinstellung {option} hat Einträge für {domain} und www. Wenn Sie einen dieser Namen verbinden, löschen Sie zuerst die Voreinstellung.',
  accelerationOff:
    'Lassen Sie {option} für diese Einträge ausgeschaltet. Sonst führt der Name zu Adressen von {at}.',
  orangeCloud:
    'Schalten Sie die orange Wolke aus, sodass der Proxy-Status jedes Eintrags {value} mit grauer Wolke ist. Mit Proxy führt der Name zu Adressen von {at}. Das Verbinden braucht dann mehr Schritte oder gelingt nicht.',
  dotAfterCname: 'Setzen Sie einen Punkt ans Ende des CNAME-Werts. Sonst hängt {at} {domain} daran an.',
  checkValue:
    'Sehen Sie nach dem Speichern in die Liste. Endet der Wert eines CNAME mit {domain}, setzen Sie einen Punkt an sein Ende.',
  checkName:
    'Sehen Sie nach dem Speichern in die Liste. Der Name muss Ihr vollständiger Hostname sein und {domain} nur einmal enthalten.',
  onlyHost: 'Geben Sie nur den Namen ein, wie er oben steht: {at} hängt {domain} an.',
  deleteSameName: 'Gibt es einen Eintrag vom Typ {type} mit demselben Namen, löschen Sie ihn zuerst.',
  deleteRedirect:
    'Ist für denselben Namen eine Weiterleitung oder eine Parkseite eingerichtet, schalten Sie sie zuerst aus.',
  featureOff: 'Schalten Sie zuerst {option} für diesen Namen aus.',
  parkingOff:
    '{at} zeigt keinen Ihrer Einträge, solange die DNS-Einstellung auf {option} oder {value} steht.',
  hostedName:
    'Solange {domain} bei {at} gehostet wird, können Sie die A- und AAAA-Einträge nicht entfernen. Stellen Sie das Hosting dieses Namens zuerst auf {value}.',
  reseller:
    'Viele Firmen verkaufen Domains über {at}. Wenn Sie dort kein Konto haben, melden Sie sich bei der Firma an, bei der Sie die Domain gekauft haben.',
  movedTo:
    'Wenn Sie die Domain bei {option} gekauft haben, melden Sie sich stattdessen bei {value} an: Die Domains sind dorthin umgezogen.',
  oldConsole: 'Wenn Sie die Zone nie in die {option} umgezogen haben, finden Sie sie unter {value}.',
  liveNameServers: 'Die Nameserver {value} sind richtig: Sie bedienen auch aktive Domains.',
  switchedOff:
    'Wenn eine Website, eine Weiterleitung oder E-Mail bei {at} denselben Namen nutzt, zeigt {at} die Einträge, die dadurch abgeschaltet werden. Bestätigen Sie nur, wenn Sie diesen Dienst dort nicht mehr brauchen.',
  hostingPanel: 'Mit Hosting bei {at} liegen die Einträge unter {menu}.',
  otherHost:
    'Fragt das Formular, worauf sich der Eintrag bezieht, wählen Sie {value} für einen Namen unter {domain}.',
  quotedTxt: 'Setzen Sie den Wert eines TXT-Eintrags in gerade doppelte Anführungszeichen.',
  onePerLine: 'Geben Sie mehrere Werte in dasselbe Feld ein, einen pro Zeile.',
  twoZones:
    'Gibt es zwei Hosted Zones für {domain}, nehmen Sie die, deren Nameserver beim Registrar eingetragen sind.',
  ownProject:
    'Hat ein Projekt bei {at} denselben Hostnamen, sehen Besucher weiterhin dieses Projekt. Entfernen Sie den Hostnamen aus {menu} in den Einstellungen des Projekts.',
  ownSite:
    'Solange {domain} mit einer Website von {at} verbunden ist, nutzt diese {domain} und www. Wenn Sie einen dieser Namen verbinden, trennen Sie zuerst die Website.',
  noAaaa: 'Hat {at} keinen Abschnitt für AAAA, lassen Sie diesen Eintrag weg.',
};

export const DE_PANEL_NAMES: Texts['panelNames'] = {
  label: '„{name}“',
  value: '„{name}“',
  path: ' › ',
  next: ' ',
};
