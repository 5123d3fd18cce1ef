import type { Texts } from '../catalog.ts';

export const FR_GUIDES: Texts['guides'] = {
  signIn: 'Connectez-vous à {at}.',
  signInOpen: 'Connectez-vous à {at} et ouvrez {menu}.',
  signInDomains: 'Connectez-vous à {at} et ouvrez vos domaines.',
  signInChoose: 'Connectez-vous à {at} et choisissez {domain}.',
  signInChooseUnder: 'Connectez-vous à {at} et choisissez {domain} sous {menu}.',
  signInProject: 'Connectez-vous à {at}, choisissez le projet et ouvrez {menu}.',
  signInTeam: 'Connectez-vous à {at}, choisissez l’équipe et ouvrez {menu}.',
  signInSite: 'Connectez-vous à {at} et ouvrez {menu} du site.',
  choose: 'Choisissez {domain}.',
  chooseOpen: 'Choisissez {domain}, puis {menu}.',
  chooseRecords: 'Choisissez {domain} et ouvrez ses enregistrements.',
  chooseClick: 'Choisissez {domain} et cliquez sur {button}.',
  openRecords: 'Ouvrez ses enregistrements.',
  open: 'Ouvrez {menu}.',
  openChoose: 'Ouvrez {menu} et choisissez {domain}.',
  openClick: 'Ouvrez {menu} et cliquez sur {button} à côté des enregistrements.',
  openBeside: 'Ouvrez {menu} à côté de {domain}.',
  clickBesideOpen: 'Cliquez sur {button} à côté de {domain}, puis ouvrez {menu}.',
  gearBeside: 'Cliquez sur la roue dentée à côté de {domain} et choisissez {menu}.',
  menuBeside: 'Ouvrez le menu à côté de {domain} et choisissez {menu}.',
  pencilBeside: 'Cliquez sur le crayon à côté de {domain}.',
  globeBeside: 'Cliquez sur le globe, {button}, à côté de {domain}.',
  typeTab: 'Choisissez l’onglet du type d’enregistrement.',
  typeTabUnder: 'Choisissez l’onglet du type d’enregistrement sous {menu}.',
  click: 'Cliquez sur {button}.',
  clickType: 'Cliquez sur {button} et choisissez le type.',
  clickUnder: 'Cliquez sur {button} sous {menu}.',
  clickInType: 'Cliquez sur {button} dans la section du type d’enregistrement.',
  clickBesideType: 'Cliquez sur {button} à côté du type d’enregistrement.',
  clickAdvanced: 'Cliquez sur {button} à côté des enregistrements DNS avancés et ajoutez un enregistrement.',
  plusBesideType: 'Cliquez sur le signe plus à côté du type d’enregistrement.',
  addRecord: 'Ajoutez un enregistrement.',
  typeInForm: 'Choisissez le type dans le formulaire d’un nouvel enregistrement.',
  formUnder: 'Remplissez le formulaire sous {menu}.',
  rowForRecord: 'Remplissez la ligne d’un nouvel enregistrement.',
  formForDomain: 'Utilisez {button} pour {domain} lui-même, et {option} pour un nom en dessous.',
  simpleRouting: 'Laissez la politique de routage sur {value}, et {option} désactivé.',

  anySignIn:
    'Connectez-vous là où vous gérez le DNS de {domain} : en général sur le site de l’entreprise qui vous a vendu {domain}, ou de celle qui héberge son site web.',
  anyChoose:
    'Choisissez {domain} et ouvrez ses enregistrements DNS. La page peut s’appeler DNS, Zone Editor ou Advanced DNS.',
  anyName:
    'La plupart des hébergeurs ajoutent {domain} au nom automatiquement : saisissez donc le nom exactement comme ci-dessus. Si le formulaire n’accepte pas @, laissez le nom vide. Si la valeur enregistrée se termine par {domain}, mettez un point à la fin de la valeur.',
  deleteOthers: 'Supprimez ou modifiez tout autre enregistrement nommé {name} : le CNAME doit être le seul.',
  deleteAtApex:
    'Supprimez ou modifiez les enregistrements A, AAAA et CNAME que {domain} possède déjà. Gardez ses enregistrements MX, NS et TXT.',
  deleteAtApexAndWww:
    'Supprimez ou modifiez les enregistrements A, AAAA et CNAME que {domain} possède déjà, et tout autre enregistrement nommé {name}. Gardez les enregistrements MX, NS et TXT.',
  fillOne:
    'Remplissez le formulaire avec l’enregistrement {type} ci-dessus et enregistrez-le. Laissez les autres champs, comme le TTL, à leur valeur par défaut.',
  fillMany:
    'Remplissez le formulaire une fois pour chacun des {count} enregistrements ci-dessus et enregistrez à chaque fois. Laissez les autres champs, comme le TTL, à leur valeur par défaut.',
};

export const FR_CAUTIONS: Texts['cautions'] = {
  oneRecordSet:
    '{at} garde toutes les valeurs d’un même nom et d’un même type dans un seul enregistrement : saisissez-les ensemble.',
  submitChanges: 'Une modification ne prend effet qu’une fois relue et envoyée.',
  defaultLine:
    'Laissez la ligne sur {value}. Avec une autre, seuls certains visiteurs voient l’enregistrement.',
  optionOff: 'Laissez {option} sur {value}.',
  ownRecords:
    '{at} ajoute ses propres enregistrements pour {domain} et www : modifiez ou supprimez celui du même nom.',
  parkingRecords: 'Un nouveau domaine a des enregistrements de parking : supprimez ceux du même nom.',
  newZoneRecords:
    'Une nouvelle zone a un enregistrement A pour {domain}, et un CNAME pour tous les noms en dessous. Modifiez ou supprimez celui du même nom.',
  apexRecord: 'Si vous connectez {domain} lui-même, supprimez l’enregistrement {type} que {at} y a placé.',
  apexParked:
    'Si vous connectez {domain} lui-même et que le domaine est nouveau, supprimez aussi l’enregistrement A nommé @ dont la valeur est {value}.',
  presetRecords:
    'Le préréglage {option} a des enregistrements pour {domain} et www. Si vous connectez l’un d’eux, supprimez d’abord le préréglage.',
  accelerationOff:
    'Laissez {option} désactivé pour ces enregistrements. Sinon, le nom pointe vers des adresses de {at}.',
  orangeCloud:
    'Désactivez le nuage orange, pour que l’état du proxy de chaque enregistrement soit {value} avec un nuage gris. Avec le proxy, le nom pointe vers des adresses de {at}. Le connecter demande alors plus d’étapes ou échoue.',
  dotAfterCname: 'Terminez la valeur d’un CNAME par un point. Sinon, {at} y ajoute {domain}.',
  checkValue:
    'Vérifiez la liste après avoir enregistré. Si la valeur d’un CNAME se termine par {domain}, modifiez-la et mettez un point à la fin.',
  checkName:
    'Vérifiez la liste après avoir enregistré. Le nom doit être votre nom d’hôte complet, et ne contenir {domain} qu’une fois.',
  onlyHost: 'Saisissez seulement le nom indiqué ci-dessus : {at} y ajoute {domain}.',
  deleteSameName: 'S’il existe un enregistrement de type {type} du même nom, supprimez-le d’abord.',
  deleteRedirect:
    'Si une redirection ou une page de parking est configurée pour ce nom, désactivez-la d’abord.',
  featureOff: 'Désactivez d’abord {option} pour ce nom.',
  parkingOff:
    '{at} ne publie aucun de vos enregistrements tant que le réglage DNS est sur {option} ou {value}.',
  hostedName:
    'Tant que {domain} est hébergé chez {at}, vous ne pouvez pas supprimer ses enregistrements A et AAAA. Réglez d’abord l’hébergement de ce nom sur {value}.',
  reseller:
    'Beaucoup d’entreprises vendent des domaines par l’intermédiaire de {at}. Si vous n’y avez pas de compte, connectez-vous sur le site de l’entreprise qui vous a vendu le domaine.',
  movedTo:
    'Si vous avez acheté le domaine chez {option}, connectez-vous plutôt à {value} : ses domaines y ont été transférés.',
  oldConsole: 'Si vous n’avez jamais transféré la zone vers {option}, elle se trouve sur {value}.',
  liveNameServers: 'Les serveurs de noms {value} sont corrects : ils servent aussi des domaines actifs.',
  switchedOff:
    'Si un site, une redirection ou un e-mail chez {at} utilise le même nom, {at} liste les enregistrements qu’il désactive. Ne confirmez que si vous n’avez plus besoin de ce service.',
  hostingPanel: 'Avec un hébergement chez {at}, les enregistrements se trouvent dans {menu}.',
  otherHost:
    'Si le formulaire demande à quoi se rapporte l’enregistrement, choisissez {value} pour un nom sous {domain}.',
  quotedTxt: 'Mettez la valeur d’un enregistrement TXT entre guillemets droits doubles.',
  onePerLine: 'Saisissez plusieurs valeurs dans la même case, une par ligne.',
  twoZones:
    'S’il y a deux zones hébergées pour {domain}, utilisez celle dont les serveurs de noms sont déclarés au bureau d’enregistrement.',
  ownProject:
    'Si un projet {at} a le même nom d’hôte, les visiteurs voient toujours ce projet. Retirez le nom d’hôte de {menu} dans les réglages du projet.',
  ownSite:
    'Tant que {domain} est connecté à un site {at}, ce site utilise {domain} et www. Si vous connectez l’un d’eux, déconnectez d’abord le site.',
  noAaaa: 'Si {at} n’a pas de section pour AAAA, laissez cet enregistrement de côté.',
};

export const FR_PANEL_NAMES: Texts['panelNames'] = {
  label: '« {name} »',
  value: '« {name} »',
  path: ' › ',
  next: ' ',
};
