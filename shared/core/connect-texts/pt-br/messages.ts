import type { Texts } from '../catalog.ts';

export const PT_BR_MESSAGES: Texts['messages'] = {
  checking: 'Estamos verificando. O resultado aparecerá aqui em alguns segundos.',
  checkingUnscripted: 'Depois, recarregue a página.',
  checkedRecently: 'Verificamos há poucos segundos. Espere 15 segundos entre uma verificação e outra.',
  nothingToCheck: 'Não há nada para verificar agora.',
  checkProvider:
    'Você voltou do site do seu provedor de DNS. Estamos procurando a mudança, e esta página continua sozinha.',
  checkProviderRefused:
    'Seu provedor de DNS não mudou nada. Você pode tentar de novo ou adicionar o registro por conta própria.',
  mailSent: 'Confira sua caixa de entrada. Enviamos um link de confirmação.',
  mailAddress: 'Isso não parece um endereço de e-mail. Deveria ser como ada@example.com.',
  mailTooOften: 'Foram pedidos e-mails demais aqui. Tente de novo amanhã.',

  refused: {
    headline: 'Isso não funcionou',
    text: 'Não conseguimos aceitar seu pedido. Abra a página de novo pelo link e tente outra vez.',
  },
  notFound: {
    headline: 'Este link não funciona',
    text: 'Ele está incompleto ou não é mais válido. Peça um novo à pessoa que o enviou.',
  },
  failed: {
    headline: 'Algo deu errado do nosso lado',
    text: 'Tente de novo em instantes. Nada foi perdido, e a configuração continua automaticamente.',
  },
  busy: {
    headline: 'Estamos sobrecarregados no momento',
    text: 'Tente de novo em instantes. Nada foi perdido, e a configuração continua automaticamente.',
  },

  mailTitle: 'E-mail sobre {hostname}',
  confirmTitle: 'Quer receber nossos e-mails?',
  confirmText:
    'Vamos escrever para você quando {hostname} estiver conectado a {app}, e se essa conexão cair depois. Nada além disso.',
  confirmYes: 'Sim, quero receber',
  confirmNo: 'Eu não pedi isso',
  confirmedTitle: 'Seu endereço está confirmado',
  confirmedText:
    'Você receberá um e-mail quando {hostname} estiver conectado a {app}, e se essa conexão cair depois. Você pode fechar esta página.',
  confirmedNo: 'Pensando bem, não quero e-mails',
  stopTitle: 'Parar os e-mails?',
  stopText: 'Não enviaremos mais nada sobre {hostname} e excluiremos seu endereço.',
  stopButton: 'Parar os e-mails',
  stoppedTitle: 'Você não receberá mais e-mails',
  stoppedText: 'Excluímos seu endereço. Você pode fechar esta página.',
  linkEndedTitle: 'Este link não é mais válido',
  linkEndedText: 'Não enviamos mais e-mails por ele. Você pode fechar esta página.',
};

export const PT_BR_MAILS: Texts['mails'] = {
  confirmSubject: 'Confirme seu e-mail para {hostname}',
  confirmAsked: 'Você pediu que avisássemos quando {hostname} estivesse conectado a {app}.',
  confirmOpen: 'Para receber esse e-mail, abra esta página e confirme seu endereço:',
  confirmButton: 'Confirmar meu endereço',
  confirmIgnore: 'Se você não pediu isso, ignore este e-mail. Não vamos escrever de novo.',
  liveSubject: '{hostname} está no ar',
  liveText: '{hostname} está conectado a {app} e funciona por HTTPS. Mantenha o registro DNS.',
  brokenSubject: '{hostname} parou de funcionar: o DNS precisa de correção',
  brokenText: '{hostname} não leva mais a {app}, porque o DNS mudou.',
  toDo: 'O que fazer:',
  onlyThese:
    'Você pediu este e-mail. Escrevemos para você quando o domínio entra no ar e quando a conexão cai.',
  stop: 'Para não receber mais e-mails, abra esta página:',

  hello: 'Olá,',
  pleaseAdd: {
    one: 'você poderia adicionar o registro DNS abaixo para {domain}? Ele conecta {hostname} a {app}.',
    other: 'você poderia adicionar os registros DNS abaixo para {domain}? Eles conectam {hostname} a {app}.',
  },
  pleaseChange: 'você poderia fazer a alteração abaixo para {domain}? Ela conecta {hostname} a {app}.',
  whatToDo: 'Veja o que fazer, segundo {app}:',
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
