import type { Texts } from '../catalog.ts';

export const PT_BR_MAILS: Texts['mails'] = {
  confirmSubject: 'Confirme seu e-mail para {hostname}',
  confirmAsked: 'Você pediu que avisássemos quando {hostname} estivesse conectado a {app}.',
  confirmOpen: 'Para receber esse e-mail, abra esta página e confirme seu endereço:',
  confirmIgnore: 'Se você não pediu isso, ignore este e-mail. Não vamos escrever de novo.',
  liveSubject: '{hostname} está no ar',
  liveText: '{hostname} está conectado a {app} e funciona por HTTPS:',
  brokenSubject: '{hostname} parou de funcionar: o DNS precisa de correção',
  brokenText: '{hostname} não leva mais a {app}, porque o DNS mudou.',
  toDo: 'O que fazer:',
  onlyThese: 'Você pediu este e-mail. Escrevemos quando o domínio entra no ar e quando a conexão cai.',
  stop: 'Para não receber mais e-mails, abra esta página:',

  hello: 'Olá,',
  pleaseAdd: {
    one: 'você poderia adicionar o registro DNS abaixo para {domain}? Ele conecta {hostname} a {app}.',
    other: 'você poderia adicionar os registros DNS abaixo para {domain}? Eles conectam {hostname} a {app}.',
  },
  pleaseChange: 'você poderia fazer a alteração abaixo para {domain}? Ela conecta {hostname} a {app}.',
  whatToDo: 'Isto é o que fazer, segundo {app}:',
  afterwards: {
    one: 'Depois da alteração, o registro DNS deve ser:',
    other: 'Depois da alteração, os registros DNS devem ser:',
  },
  pageTells: 'Esta página mostra as etapas e diz se funcionou:',
  thanks: 'Agradeço desde já!',
  subjectAdd: { one: 'Registro DNS para {hostname}', other: 'Registros DNS para {hostname}' },
  subjectChange: 'Uma alteração para {hostname}',
  restartSubject: 'Reiniciar a configuração de {hostname}',
  questionSubject: 'Uma pergunta sobre {hostname}',
  aboutPage: 'é sobre a configuração de {hostname} para {app}, nesta página:',
  field: '{label}: {value}',
};
