import type { Texts } from '../catalog.ts';

export const FR_PAGE: Texts['page'] = {
  skip: 'Aller au contenu',
  language: 'Langue',
  connectTo: 'Connectez votre domaine à {app}',
  connectedTo: 'Connecté à {app}',
  inDns: 'Dans le DNS : {hostname}',
  lookAlike:
    'Ce nom contient des lettres qui ressemblent à d’autres. Écrit en entier, c’est {unicode}. Ne continuez que si c’est bien le nom que vous attendiez.',
  testTitle: 'Ceci est un domaine de test.',
  testText:
    'Vos clients verront la même page. Un minuteur fait passer le domaine par chaque étape, en général en moins de dix secondes. Vous n’avez aucun enregistrement DNS à ajouter, nous n’en cherchons pas, et aucun visiteur n’est concerné.',
  closeUntil: 'Nous cherchons jusqu’au {time}.',
  close: 'Nous continuons de chercher.',
  reload: 'Rechargez cette page pour voir l’état actuel.',
  offline: 'Le serveur est injoignable pour le moment. Cette page continue d’essayer.',
  copied: 'Copié',
  copiedWhat: 'Copié : {what}',
  copiedLink: 'Lien vers cette page copié',
  copyFailed: 'Copie impossible. Sélectionnez le texte à la place.',
  selectIt: 'Sélectionnez',
  justNow: 'à l’instant',
  soon: 'dans quelques secondes',
  utc: '{time} UTC',

  steps: 'Étapes jusqu’à la mise en ligne',
  stepDone: '(terminé)',
  stepNow: '(en cours)',
  stepLater: '(à venir)',
  stepRecord: { title: 'Trouvé', now: 'Recherche en cours…' },
  stepConfirmed: { title: 'Confirmé', now: 'Confirmation mondiale' },
  stepSecured: { title: 'Sécurisé', now: 'Certificat pour https' },
  stepLive: { title: 'En ligne', now: 'Prêt pour les visiteurs' },
  openHostname: 'Ouvrir {hostname}',

  addRecords: {
    one: 'À ajouter chez {provider}',
    other: '{count} enregistrements à ajouter chez {provider}',
  },
  setRecords: {
    one: 'À rétablir chez {provider}',
    other: '{count} enregistrements à rétablir chez {provider}',
  },
  yourProvider: 'votre hébergeur DNS',
  keptRecords: {
    one: 'Enregistrement DNS de cette connexion',
    other: 'Enregistrements DNS de cette connexion',
  },
  removableRecords: {
    one: 'Enregistrement DNS que vous pouvez supprimer',
    other: 'Enregistrements DNS que vous pouvez supprimer',
  },
  wholeRecords: { one: 'L’enregistrement complet', other: 'Tous les enregistrements' },
  newProof:
    'Entre-temps, ce domaine a été connecté à un autre service. Pour le déplacer ici, utilisez cette valeur : l’ancienne n’est plus valable.',
  recordOf: 'Enregistrement {at} sur {count}',
  oneClickText: {
    one: 'Connectez-vous à {provider} et confirmez. L’enregistrement est ajouté pour vous, puis vous revenez sur cette page.',
    other:
      'Connectez-vous à {provider} et confirmez. Les enregistrements sont ajoutés pour vous, puis vous revenez sur cette page.',
  },
  oneClickButton: 'Connecter automatiquement avec {provider}',
  oneClickElse: {
    one: 'Ou ajoutez l’enregistrement vous-même :',
    other: 'Ou ajoutez les enregistrements vous-même :',
  },
  oneClickWaits:
    'En attente de {provider}. Dès que vous aurez confirmé là-bas, cette page continuera toute seule.',
  fixAt: 'À corriger chez {provider}',
  openRecords: 'Ouvrez les enregistrements DNS de {domain}',
  usuallyThere: 'En général là où vous avez acheté {domain}.',
  enterRecords: { one: 'Saisissez ceci dans le formulaire', other: 'Saisissez chaque enregistrement' },
  saveRecords: 'Enregistrez. Nous faisons le reste.',
  openProvider: 'Ouvrir {provider}',
  showMeHow: 'Voir la marche à suivre, pas à pas',
  standsForDomain: 'Cela désigne {domain} lui-même.',
  withoutDomain: 'Saisissez exactement ceci, sans ajouter {domain}.',
  fieldType: 'Type',
  fieldName: 'Nom',
  fieldValue: 'Valeur',
  leaveEmpty: 'laissez vide',
  copy: 'Copier',
  copyWhat: 'Copier : {what}',
  whatField: '{field}',
  whatFieldOf: '{field} de l’enregistrement {at}',
  copyLink: 'Copier le lien',
  copyLinkWhat: 'Copier le lien vers cette page',

  notProvider: 'Ce n’est pas {provider} ?',
  whichProvider: 'Quel hébergeur DNS utilisez-vous ?',
  chooseProvider: 'Hébergeur DNS',
  anotherProvider: 'Un autre hébergeur',
  showSteps: 'Voir les étapes',

  toFix: 'À corriger',
  weSee: 'Ce que nous voyons',
  weSeeNow: 'Ce que nous voyons',
  nothing: 'rien',
  shouldBe: 'Valeur attendue',
  whatShouldBe: 'valeur attendue',
  toDo: 'Que faire',
  addRecord: 'Ajoutez cet enregistrement',
  changeRecord: 'Modifiez cet enregistrement',
  deleteRecord: 'Supprimez cet enregistrement',
  replaceValue: 'Remplacez',
  withValue: 'par',
  whatChangedName: 'nom de l’enregistrement',
  whatNewValue: 'nouvelle valeur',

  checks: 'Vérifications',
  notFoundYet: {
    one: 'Nous n’avons pas encore trouvé l’enregistrement.',
    other: 'Nous n’avons pas encore trouvé les enregistrements.',
  },
  notChecked: 'Pas encore vérifié',
  lastChecked: 'Dernière vérification : {time}',
  nextCheck: 'Prochaine vérification : {time}',
  checkNow: 'Vérifier maintenant',
  checkAgain: 'Vérifier à nouveau',
  tryAgain: 'Réessayer maintenant',

  moveTitle: '{hostname} a-t-il déjà des visiteurs ?',
  moveText: {
    one: 'Alors ajoutez d’abord cet enregistrement. Il ne change rien pour vos visiteurs et nous permet de préparer le certificat avant que vous modifiiez l’enregistrement ci-dessus.',
    other:
      'Alors ajoutez d’abord cet enregistrement. Il ne change rien pour vos visiteurs et nous permet de préparer le certificat avant que vous modifiiez les enregistrements ci-dessus.',
  },
  moveWww: 'Pour {hostname}, ajoutez aussi cet enregistrement :',
  whatFieldOfFirst: '{field} du premier enregistrement',

  notifyTitle: 'M’avertir par e-mail',
  address: 'Votre adresse e-mail',
  notifyButton: 'M’avertir',
  notifyUse:
    'Vous recevrez un e-mail pour confirmer votre adresse, un autre quand le domaine sera en ligne, et un dernier si la connexion est coupée plus tard. Rien d’autre.',

  colleagueTitle: 'Quelqu’un d’autre gère le domaine ?',
  colleagueText:
    'Envoyez-lui le lien vers cette page. Cette personne verra la même chose, sans avoir besoin d’un compte.',
  writeMail: 'Écrire un e-mail',
  askTitle: 'Demandez à {app}',
  contactApp: 'Contacter {app}',
  backToApp: 'Revenir à {app}',
};

export const FR_STATUS: Texts['status'] = {
  pending: {
    headline: { one: 'En attente de votre enregistrement', other: 'En attente de vos enregistrements' },
    text: 'Nous continuons de chercher : vous pouvez fermer cette page et revenir plus tard.',
  },
  switch: {
    headline: 'Vous pouvez basculer maintenant',
    text: 'Le certificat de {hostname} est en place. Vos visiteurs ne remarqueront pas le changement.',
  },
  fix: {
    headline: 'Un point à corriger',
    text: 'Nous ne pouvons pas encore connecter {hostname}. Dès que ce sera corrigé, tout continuera automatiquement.',
  },
  appFix: {
    headline: '{app} doit corriger quelque chose',
    text: 'Votre enregistrement DNS est correct : n’y touchez pas. Dès que {app} aura corrigé sa propre adresse, {hostname} se connectera automatiquement.',
  },
  verifying: {
    headline: {
      one: 'Nous avons trouvé votre enregistrement',
      other: 'Nous avons trouvé vos enregistrements',
    },
    text: 'Nous attendons maintenant que le changement soit visible dans le monde entier. Cela prend en général quelques minutes. Vous n’avez rien d’autre à faire.',
  },
  issuing: {
    headline: { one: 'Votre enregistrement est correct', other: 'Vos enregistrements sont corrects' },
    text: 'Nous obtenons le certificat de sécurité (le cadenas de la barre d’adresse). Cela prend en général moins d’une minute.',
  },
  active: {
    headline: 'Votre domaine est en ligne',
    text: {
      one: 'Les visiteurs de {hostname} arrivent maintenant sur {app} en https. Gardez l’enregistrement DNS : la connexion en dépend.',
      other:
        'Les visiteurs de {hostname} arrivent maintenant sur {app} en https. Gardez les enregistrements DNS : la connexion en dépend.',
    },
  },
  activeTest: {
    headline: 'Votre domaine de test est en ligne',
    text: 'Avec un vrai domaine, les visiteurs de {hostname} arriveraient sur {app} en https. Dans ce test, rien ne change pour eux.',
  },
  broken: {
    headline: 'La connexion est interrompue',
    text: 'Dès que votre DNS est correct, nous reconnectons {hostname} automatiquement.',
  },
  failed: {
    headline: 'Pas encore de certificat de sécurité',
    text: {
      one: 'Votre enregistrement DNS est correct, mais nous n’avons pas pu obtenir le certificat (le cadenas de la barre d’adresse). Nous réessayons chaque jour. Une fois le problème ci-dessous corrigé, vous pouvez aussi réessayer tout de suite.',
      other:
        'Vos enregistrements DNS sont corrects, mais nous n’avons pas pu obtenir le certificat (le cadenas de la barre d’adresse). Nous réessayons chaque jour. Une fois le problème ci-dessous corrigé, vous pouvez aussi réessayer tout de suite.',
    },
  },
  failedWaits: {
    headline: 'Le certificat de sécurité prend du temps',
    text: {
      one: 'Votre enregistrement DNS est correct. Nous n’avons pas encore pu obtenir le certificat (le cadenas de la barre d’adresse) et réessayons automatiquement. Vous n’avez rien à faire.',
      other:
        'Vos enregistrements DNS sont corrects. Nous n’avons pas encore pu obtenir le certificat (le cadenas de la barre d’adresse) et réessayons automatiquement. Vous n’avez rien à faire.',
    },
  },
  failedRenewal: {
    headline: 'Le certificat n’a pas pu être renouvelé',
    text: 'Votre domaine fonctionne encore pour l’instant. Nous réessayons chaque jour. Une fois le problème ci-dessous corrigé, vous pouvez aussi réessayer tout de suite.',
  },
  expired: {
    headline: 'Le délai de configuration est dépassé',
    text: {
      one: 'Nous n’avons pas trouvé l’enregistrement DNS en trois jours et avons arrêté de le chercher. Demandez à {app} de relancer la configuration ; ce lien fonctionnera de nouveau.',
      other:
        'Nous n’avons pas trouvé les enregistrements DNS en trois jours et avons arrêté de les chercher. Demandez à {app} de relancer la configuration ; ce lien fonctionnera de nouveau.',
    },
  },
  held: {
    headline: 'Ce domaine est en cours d’examen',
    text: 'Il est en pause jusqu’à la fin de l’examen, puis tout reprendra automatiquement. Vous n’avez rien à faire. Pour toute question, adressez-vous à {app}.',
  },
  deleted: {
    headline: 'Ce domaine n’est plus connecté',
    text: {
      one: '{app} l’a retiré. Vous pouvez maintenant supprimer l’enregistrement DNS que vous aviez ajouté pour lui.',
      other:
        '{app} l’a retiré. Vous pouvez maintenant supprimer les enregistrements DNS que vous aviez ajoutés pour lui.',
    },
  },
};
