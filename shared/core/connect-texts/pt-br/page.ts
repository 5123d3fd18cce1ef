import type { Texts } from '../catalog.ts';

export const PT_BR_PAGE: Texts['page'] = {
  skip: 'Ir para o conteúdo',
  language: 'Idioma',
  connectTo: 'Conecte seu domínio a {app}',
  connectedTo: 'Conectado a {app}',
  inDns: 'No DNS: {hostname}',
  lookAlike:
    'Este nome tem letras que se parecem com outras. Escrito por extenso, é {unicode}. Continue apenas se for esse o nome que você espera.',
  testTitle: 'Este é um domínio de teste.',
  testText:
    'Seus clientes verão a mesma página. Um temporizador leva o domínio pelas etapas, geralmente em menos de dez segundos. Você não precisa adicionar nenhum registro DNS, não procuramos nenhum, e nenhum visitante é afetado.',
  closeUntil: 'Continuamos procurando até {time}.',
  close: 'Continuamos procurando.',
  reload: 'Recarregue esta página para ver a situação atual.',
  offline: 'Não conseguimos acessar o servidor no momento. Esta página continua tentando.',
  copied: 'Copiado',
  copiedWhat: 'Copiado: {what}',
  copiedLink: 'Link para esta página copiado',
  copyFailed: 'Não foi possível copiar. Selecione o texto.',
  selectIt: 'Selecione',
  justNow: 'agora mesmo',
  soon: 'em alguns segundos',
  utc: '{time} UTC',

  steps: 'Etapas até o domínio ficar no ar',
  stepDone: '(concluída)',
  stepNow: '(em andamento)',
  stepLater: '(pendente)',
  stepRecord: { title: 'Encontrado', now: 'Procurando…' },
  stepConfirmed: { title: 'Confirmado', now: 'Confirmando no mundo todo' },
  stepSecured: { title: 'Protegido', now: 'Certificado para https' },
  stepLive: { title: 'No ar', now: 'Pronto para visitantes' },
  openHostname: 'Abrir {hostname}',

  addRecords: {
    one: 'Adicione em {provider}',
    other: 'Adicione estes {count} registros em {provider}',
  },
  setRecords: {
    one: 'Restaure em {provider}',
    other: 'Restaure estes {count} registros em {provider}',
  },
  yourProvider: 'seu provedor de DNS',
  keptRecords: { one: 'Registro DNS desta conexão', other: 'Registros DNS desta conexão' },
  removableRecords: {
    one: 'Registro DNS que você pode excluir',
    other: 'Registros DNS que você pode excluir',
  },
  wholeRecords: { one: 'O registro completo', other: 'Todos os registros' },
  newProof:
    'Nesse meio-tempo, este domínio foi conectado a outro serviço. Para movê-lo para cá, use este valor: o anterior não vale mais.',
  recordOf: 'Registro {at} de {count}',
  oneClickText: {
    one: 'Entre em {provider} e confirme. O registro é adicionado para você, e você volta a esta página.',
    other:
      'Entre em {provider} e confirme. Os registros são adicionados para você, e você volta a esta página.',
  },
  oneClickButton: 'Conectar automaticamente com {provider}',
  oneClickElse: {
    one: 'Ou adicione o registro por conta própria:',
    other: 'Ou adicione os registros por conta própria:',
  },
  oneClickWaits: 'Aguardando {provider}. Assim que você confirmar lá, esta página continua sozinha.',
  fixAt: 'Corrija isto em {provider}',
  openRecords: 'Abra os registros DNS de {domain}',
  usuallyThere: 'Em geral, onde você comprou {domain}.',
  enterRecords: { one: 'Digite isto no formulário', other: 'Digite cada registro no formulário' },
  saveRecords: 'Salve. Nós fazemos o resto.',
  openProvider: 'Abrir {provider}',
  showMeHow: 'Mostrar como fazer, passo a passo',
  standsForDomain: 'Isso representa o próprio {domain}.',
  withoutDomain: 'Digite exatamente isto, sem {domain} no fim.',
  fieldType: 'Tipo',
  fieldName: 'Nome',
  fieldValue: 'Valor',
  leaveEmpty: 'deixe em branco',
  copy: 'Copiar',
  copyWhat: 'Copiar: {what}',
  whatField: '{field}',
  whatFieldOf: '{field} do registro {at}',
  copyLink: 'Copiar link',
  copyLinkWhat: 'Copiar link para esta página',

  notProvider: 'Não é {provider}?',
  whichProvider: 'Qual provedor de DNS você usa?',
  chooseProvider: 'Provedor de DNS',
  anotherProvider: 'Outro provedor',
  showSteps: 'Mostrar as etapas',

  toFix: 'O que corrigir',
  weSee: 'O que vemos',
  weSeeNow: 'O que vemos agora',
  nothing: 'nada',
  shouldBe: 'O que deveria estar lá',
  whatShouldBe: 'o que deveria estar lá',
  toDo: 'O que fazer',
  addRecord: 'Adicione este registro',
  changeRecord: 'Altere este registro',
  deleteRecord: 'Exclua este registro',
  replaceValue: 'Substitua',
  withValue: 'por',
  whatChangedName: 'nome do registro',
  whatNewValue: 'novo valor',

  checks: 'Verificações',
  notFoundYet: {
    one: 'Ainda não encontramos o registro.',
    other: 'Ainda não encontramos os registros.',
  },
  notChecked: 'Ainda não verificado',
  lastChecked: 'Última verificação: {time}',
  nextCheck: 'Próxima verificação: {time}',
  checkNow: 'Verificar agora',
  checkAgain: 'Verificar de novo',
  tryAgain: 'Tentar de novo agora',

  moveTitle: '{hostname} já tem visitantes?',
  moveText: {
    one: 'Então adicione primeiro este registro. Nada muda para seus visitantes, e podemos preparar o certificado antes que você altere o registro acima.',
    other:
      'Então adicione primeiro este registro. Nada muda para seus visitantes, e podemos preparar o certificado antes que você altere os registros acima.',
  },
  moveWww: 'Para {hostname}, adicione também este registro:',
  whatFieldOfFirst: '{field} do primeiro registro',

  notifyTitle: 'Avise-me por e-mail',
  address: 'Seu e-mail',
  notifyButton: 'Avise-me',
  notifyUse:
    'Você recebe um e-mail para confirmar seu endereço, outro quando o domínio estiver no ar e outro se a conexão cair depois. Nada além disso.',

  colleagueTitle: 'Outra pessoa cuida do domínio?',
  colleagueText: 'Envie a ela o link desta página. Ela verá a mesma página e não precisa de conta.',
  writeMail: 'Escrever um e-mail',
  askTitle: 'Fale com {app}',
  contactApp: 'Falar com {app}',
  backToApp: 'Voltar para {app}',
};

export const PT_BR_STATUS: Texts['status'] = {
  pending: {
    headline: { one: 'Aguardando seu registro DNS', other: 'Aguardando seus registros DNS' },
    text: 'Continuamos procurando: você pode fechar esta página e voltar mais tarde.',
  },
  switch: {
    headline: 'Você já pode fazer a troca',
    text: 'O certificado de {hostname} está pronto. Seus visitantes não perceberão a mudança.',
  },
  fix: {
    headline: 'Falta corrigir uma coisa',
    text: 'Ainda não conseguimos conectar {hostname}. Assim que isso for corrigido, continuamos automaticamente.',
  },
  appFix: {
    headline: '{app} precisa corrigir algo',
    text: 'Seu registro DNS está certo; deixe-o como está. Assim que {app} corrigir o próprio endereço, {hostname} será conectado automaticamente.',
  },
  verifying: {
    headline: { one: 'Encontramos seu registro', other: 'Encontramos seus registros' },
    text: 'Agora esperamos até a mudança ficar visível no mundo todo. Isso costuma levar alguns minutos. Você não precisa fazer mais nada.',
  },
  issuing: {
    headline: { one: 'Seu registro está certo', other: 'Seus registros estão certos' },
    text: 'Estamos obtendo o certificado de segurança (o cadeado na barra de endereços). Isso costuma levar menos de um minuto.',
  },
  active: {
    headline: 'Seu domínio está no ar',
    text: {
      one: 'Quem visita {hostname} agora chega a {app} por https. Mantenha o registro DNS: a conexão depende dele.',
      other:
        'Quem visita {hostname} agora chega a {app} por https. Mantenha os registros DNS: a conexão depende deles.',
    },
  },
  activeTest: {
    headline: 'Seu domínio de teste está no ar',
    text: 'Com um domínio real, quem visitasse {hostname} chegaria a {app} por https. Neste teste, nada muda para os visitantes.',
  },
  broken: {
    headline: 'A conexão foi interrompida',
    text: 'Quando o seu DNS estiver correto, reconectaremos {hostname} automaticamente.',
  },
  failed: {
    headline: 'Ainda sem certificado de segurança',
    text: {
      one: 'Seu registro DNS está certo, mas não conseguimos obter o certificado (o cadeado na barra de endereços). Tentamos de novo todos os dias. Quando o problema abaixo for corrigido, você também pode tentar de novo na hora.',
      other:
        'Seus registros DNS estão certos, mas não conseguimos obter o certificado (o cadeado na barra de endereços). Tentamos de novo todos os dias. Quando o problema abaixo for corrigido, você também pode tentar de novo na hora.',
    },
  },
  failedWaits: {
    headline: 'O certificado de segurança está demorando',
    text: {
      one: 'Seu registro DNS está certo. Ainda não conseguimos obter o certificado (o cadeado na barra de endereços) e continuamos tentando automaticamente. Você não precisa fazer nada.',
      other:
        'Seus registros DNS estão certos. Ainda não conseguimos obter o certificado (o cadeado na barra de endereços) e continuamos tentando automaticamente. Você não precisa fazer nada.',
    },
  },
  failedRenewal: {
    headline: 'Não conseguimos renovar o certificado',
    text: 'Seu domínio continua funcionando por enquanto. Tentamos de novo todos os dias. Quando o problema abaixo for corrigido, você também pode tentar de novo na hora.',
  },
  expired: {
    headline: 'O prazo da configuração acabou',
    text: {
      one: 'Não encontramos o registro DNS em três dias e paramos de procurar. Peça a {app} que reinicie a configuração; este link voltará a funcionar.',
      other:
        'Não encontramos os registros DNS em três dias e paramos de procurar. Peça a {app} que reinicie a configuração; este link voltará a funcionar.',
    },
  },
  held: {
    headline: 'Este domínio está em análise',
    text: 'Ele fica pausado até o fim da análise e depois continua automaticamente. Você não precisa fazer nada. Em caso de dúvida, fale com {app}.',
  },
  deleted: {
    headline: 'Este domínio não está mais conectado',
    text: {
      one: '{app} o removeu. Agora você pode excluir o registro DNS que adicionou para ele.',
      other: '{app} o removeu. Agora você pode excluir os registros DNS que adicionou para ele.',
    },
  },
};
