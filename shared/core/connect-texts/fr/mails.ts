import type { Texts } from '../catalog.ts';

export const FR_MAILS: Texts['mails'] = {
  confirmSubject: 'Confirmez votre adresse e-mail pour {hostname}',
  confirmAsked: 'Vous nous avez demandé de vous prévenir quand {hostname} sera connecté à {app}.',
  confirmOpen: 'Pour recevoir cet e-mail, ouvrez cette page et confirmez votre adresse :',
  confirmIgnore: 'Si vous n’avez rien demandé, ignorez cet e-mail. Nous ne vous écrirons plus.',
  liveSubject: '{hostname} est en ligne',
  liveText: '{hostname} est connecté à {app} et fonctionne en HTTPS :',
  brokenSubject: '{hostname} ne fonctionne plus : son DNS doit être corrigé',
  brokenText: '{hostname} ne mène plus à {app}, car son DNS a changé.',
  toDo: 'Que faire :',
  onlyThese:
    'Vous avez demandé cet e-mail. Nous écrivons quand le domaine est mis en ligne et quand sa connexion est coupée.',
  stop: 'Pour ne plus recevoir d’e-mails, ouvrez cette page :',

  hello: 'Bonjour,',
  pleaseAdd: {
    one: 'Pourriez-vous ajouter l’enregistrement DNS ci-dessous pour {domain} ? Il connecte {hostname} à {app}.',
    other:
      'Pourriez-vous ajouter les enregistrements DNS ci-dessous pour {domain} ? Ils connectent {hostname} à {app}.',
  },
  pleaseChange:
    'Pourriez-vous faire la modification ci-dessous pour {domain} ? Elle connecte {hostname} à {app}.',
  whatToDo: 'Voici ce qu’il faut faire, selon {app} :',
  afterwards: {
    one: 'Après la modification, l’enregistrement DNS doit être :',
    other: 'Après la modification, les enregistrements DNS doivent être :',
  },
  pageTells: 'Cette page montre les étapes et indique si cela a fonctionné :',
  thanks: 'Merci !',
  subjectAdd: { one: 'Enregistrement DNS pour {hostname}', other: 'Enregistrements DNS pour {hostname}' },
  subjectChange: 'Une modification pour {hostname}',
  restartSubject: 'Merci de relancer la configuration de {hostname}',
  questionSubject: 'Une question au sujet de {hostname}',
  aboutPage: 'Il s’agit de la configuration de {hostname} pour {app}, sur cette page :',
  field: '{label} : {value}',
};
