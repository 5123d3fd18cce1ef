import type { Texts } from '../catalog.ts';

export const FR_MESSAGES: Texts['messages'] = {
  checking: 'Vérification en cours. Le résultat s’affichera ici dans quelques secondes.',
  checkingUnscripted: 'Rechargez alors la page.',
  checkedRecently:
    'Nous avons vérifié il y a quelques secondes. Attendez 15 secondes entre deux vérifications.',
  nothingToCheck: 'Il n’y a rien à vérifier pour le moment.',
  checkProvider:
    'Vous revenez de chez votre hébergeur DNS. Nous cherchons la modification, et cette page continue toute seule.',
  checkProviderRefused:
    'Votre hébergeur DNS n’a rien modifié. Vous pouvez réessayer ou saisir l’enregistrement vous-même.',
  mailSent: 'Consultez votre boîte de réception. Nous vous avons envoyé un lien de confirmation.',
  mailAddress: 'Cela ne ressemble pas à une adresse e-mail. Elle devrait ressembler à ada@example.com.',
  mailTooOften: 'Trop d’e-mails ont été demandés ici. Réessayez demain.',

  refused: {
    headline: 'Cela n’a pas fonctionné',
    text: 'Nous n’avons pas pu accepter votre demande. Ouvrez de nouveau la page depuis son lien et réessayez.',
  },
  notFound: {
    headline: 'Ce lien ne fonctionne pas',
    text: 'Il est incomplet ou n’est plus valable. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
  },
  failed: {
    headline: 'Une erreur s’est produite de notre côté',
    text: 'Réessayez dans un instant. Rien n’est perdu, et la configuration continue automatiquement.',
  },
  busy: {
    headline: 'Nous sommes très sollicités en ce moment',
    text: 'Réessayez dans un instant. Rien n’est perdu, et la configuration continue automatiquement.',
  },

  mailTitle: 'E-mail au sujet de {hostname}',
  confirmTitle: 'Voulez-vous recevoir nos e-mails ?',
  confirmText:
    'Nous vous écrirons quand {hostname} sera connecté à {app}, et si cette connexion est coupée plus tard. Rien d’autre.',
  confirmYes: 'Oui, écrivez-moi',
  confirmNo: 'Je n’ai rien demandé',
  confirmedTitle: 'Votre adresse est confirmée',
  confirmedText:
    'Vous recevrez un e-mail quand {hostname} sera connecté à {app}, et si cette connexion est coupée plus tard. Vous pouvez fermer cette page.',
  confirmedNo: 'Finalement, ne m’écrivez pas',
  stopTitle: 'Arrêter les e-mails ?',
  stopText: 'Nous ne vous enverrons plus rien au sujet de {hostname} et supprimerons votre adresse.',
  stopButton: 'Arrêter les e-mails',
  stoppedTitle: 'Vous ne recevrez plus d’e-mails',
  stoppedText: 'Nous avons supprimé votre adresse. Vous pouvez fermer cette page.',
  linkEndedTitle: 'Ce lien n’est plus valable',
  linkEndedText: 'Nous n’envoyons plus d’e-mails à ce sujet. Vous pouvez fermer cette page.',
};

export const FR_MAILS: Texts['mails'] = {
  confirmSubject: 'Confirmez votre adresse e-mail pour {hostname}',
  confirmAsked: 'Vous nous avez demandé de vous prévenir quand {hostname} sera connecté à {app}.',
  confirmOpen: 'Pour recevoir cet e-mail, ouvrez cette page et confirmez votre adresse :',
  confirmButton: 'Confirmer mon adresse',
  confirmIgnore: 'Si vous n’avez rien demandé, ignorez cet e-mail. Nous ne vous écrirons plus.',
  liveSubject: '{hostname} est en ligne',
  liveText:
    '{hostname} est connecté à {app} et fonctionne en HTTPS. Laissez son enregistrement DNS en place.',
  brokenSubject: '{hostname} ne fonctionne plus : son DNS doit être corrigé',
  brokenText: '{hostname} ne mène plus à {app}, car son DNS a changé.',
  toDo: 'Que faire :',
  onlyThese:
    'Vous avez demandé cet e-mail. Nous vous écrivons quand le domaine est mis en ligne et quand sa connexion est coupée.',
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
