import type { Texts } from '../catalog.ts';

export const PT_BR_GUIDES: Texts['guides'] = {
  signIn: 'Entre em {at}.',
  signInOpen: 'Entre em {at} e abra {menu}.',
  signInDomains: 'Entre em {at} e abra seus domínios.',
  signInChoose: 'Entre em {at} e escolha {domain}.',
  signInChooseUnder: 'Entre em {at} e escolha {domain} em {menu}.',
  signInProject: 'Entre em {at}, escolha o projeto e abra {menu}.',
  signInTeam: 'Entre em {at}, escolha a equipe e abra {menu}.',
  signInSite: 'Entre em {at} e abra {menu} do site.',
  choose: 'Escolha {domain}.',
  chooseOpen: 'Escolha {domain} e depois {menu}.',
  chooseRecords: 'Escolha {domain} e abra os registros.',
  chooseClick: 'Escolha {domain} e clique em {button}.',
  openRecords: 'Abra os registros.',
  open: 'Abra {menu}.',
  openChoose: 'Abra {menu} e escolha {domain}.',
  openClick: 'Abra {menu} e clique em {button} ao lado dos registros.',
  openBeside: 'Abra {menu} ao lado de {domain}.',
  clickBesideOpen: 'Clique em {button} ao lado de {domain} e abra {menu}.',
  gearBeside: 'Clique na engrenagem ao lado de {domain} e escolha {menu}.',
  menuBeside: 'Abra o menu ao lado de {domain} e escolha {menu}.',
  pencilBeside: 'Clique no lápis ao lado de {domain}.',
  globeBeside: 'Clique no globo, {button}, ao lado de {domain}.',
  typeTab: 'Escolha a aba do tipo de registro.',
  typeTabUnder: 'Escolha a aba do tipo de registro em {menu}.',
  click: 'Clique em {button}.',
  clickType: 'Clique em {button} e escolha o tipo.',
  clickUnder: 'Clique em {button} em {menu}.',
  clickInType: 'Clique em {button} na seção do tipo de registro.',
  clickBesideType: 'Clique em {button} ao lado do tipo de registro.',
  clickAdvanced: 'Clique em {button} ao lado dos registros DNS avançados e adicione um registro.',
  plusBesideType: 'Clique no sinal de mais ao lado do tipo de registro.',
  addRecord: 'Adicione um registro.',
  typeInForm: 'Escolha o tipo no formulário de um novo registro.',
  formUnder: 'Preencha o formulário em {menu}.',
  rowForRecord: 'Preencha a linha de um novo registro.',
  formForDomain: 'Use {button} para o próprio {domain} e {option} para um nome abaixo dele.',
  simpleRouting: 'Deixe a política de roteamento em {value} e {option} desligado.',

  anySignIn:
    'Entre onde você gerencia o DNS de {domain}: geralmente a empresa em que comprou {domain} ou a que hospeda o site.',
  anyChoose:
    'Escolha {domain} e abra os registros DNS. A página pode se chamar DNS, Zone Editor ou Advanced DNS.',
  anyName:
    'A maioria dos provedores acrescenta {domain} ao nome automaticamente, então digite o nome exatamente como aparece acima. Se o formulário não aceitar @, deixe o nome em branco. Se o valor salvo terminar com {domain}, coloque um ponto no fim do valor.',
  deleteOthers: 'Exclua ou edite qualquer outro registro com o nome {name}: o CNAME precisa ser o único.',
  deleteAtApex:
    'Exclua ou edite os registros A, AAAA e CNAME que o próprio {domain} já tem. Mantenha os registros MX, NS e TXT.',
  deleteAtApexAndWww:
    'Exclua ou edite os registros A, AAAA e CNAME que o próprio {domain} já tem, e qualquer outro registro com o nome {name}. Mantenha os registros MX, NS e TXT.',
  fillOne:
    'Preencha o formulário com o registro {type} acima e salve. Deixe os outros campos, como o TTL, com os valores padrão.',
  fillMany:
    'Preencha o formulário uma vez para cada um dos {count} registros acima e salve cada um. Deixe os outros campos, como o TTL, com os valores padrão.',
};

export const PT_BR_CAUTIONS: Texts['cautions'] = {
  oneRecordSet: '{at} guarda todos os valores do mesmo nome e tipo em um único registro: digite-os juntos.',
  submitChanges: 'Uma alteração só vale depois que você a revisa e envia.',
  defaultLine: 'Deixe a linha em {value}. Com qualquer outra, só alguns visitantes veem o registro.',
  optionOff: 'Deixe {option} em {value}.',
  ownRecords: '{at} adiciona registros próprios para {domain} e www: edite ou exclua o que tem o mesmo nome.',
  parkingRecords: 'Um domínio novo tem registros de estacionamento: exclua os que têm o mesmo nome.',
  newZoneRecords:
    'Uma zona nova tem um registro A para {domain} e um CNAME para todos os nomes abaixo dele. Edite ou exclua o que tem o mesmo nome.',
  apexRecord: 'Se você conecta o próprio {domain}, exclua o registro {type} que {at} colocou lá.',
  apexParked:
    'Se você conecta o próprio {domain} e o domínio é novo, exclua também o registro A chamado @ com o valor {value}.',
  presetRecords:
    'A predefinição {option} tem registros para {domain} e www. Se você conecta um deles, exclua antes a predefinição.',
  accelerationOff:
    'Deixe {option} desligado para estes registros. Senão, o nome aponta para endereços de {at}.',
  orangeCloud:
    'Desligue a nuvem laranja, para que o status do proxy de cada registro seja {value} com uma nuvem cinza. Com o proxy, o nome aponta para endereços de {at}. Conectá-lo exige então mais passos ou falha.',
  dotAfterCname: 'Termine o valor de um CNAME com um ponto. Senão, {at} acrescenta {domain} a ele.',
  checkValue:
    'Confira a lista depois de salvar o registro. Se o valor de um CNAME terminar com {domain}, edite-o e coloque um ponto no fim.',
  checkName:
    'Confira a lista depois de salvar o registro. O nome deve ser o seu nome de host completo e conter {domain} uma só vez.',
  onlyHost: 'Digite só o nome que aparece acima: {at} acrescenta {domain} a ele.',
  deleteSameName: 'Se houver um registro do tipo {type} com o mesmo nome, exclua-o antes.',
  deleteRedirect:
    'Se houver um redirecionamento ou uma página de estacionamento para o mesmo nome, desligue-o antes.',
  featureOff: 'Primeiro desligue {option} para este nome.',
  parkingOff:
    '{at} não publica nenhum dos seus registros enquanto a configuração de DNS estiver em {option} ou {value}.',
  hostedName:
    'Enquanto {domain} estiver hospedado em {at}, você não pode remover os registros A e AAAA. Antes, coloque a hospedagem desse nome em {value}.',
  reseller:
    'Muitas empresas vendem domínios por meio de {at}. Se você não tem conta lá, entre na empresa em que comprou o domínio.',
  movedTo: 'Se você comprou o domínio em {option}, entre em {value}: os domínios foram transferidos para lá.',
  oldConsole: 'Se você nunca transferiu a zona para {option}, ela está em {value}.',
  liveNameServers: 'Os servidores de nomes {value} estão certos: eles também servem domínios ativos.',
  switchedOff:
    'Se um site, um redirecionamento ou o e-mail em {at} usa o mesmo nome, {at} lista os registros que desliga. Confirme apenas se você não precisa mais desse serviço.',
  hostingPanel: 'Com hospedagem em {at}, os registros ficam em {menu}.',
  otherHost:
    'Se o formulário perguntar a que o registro se refere, escolha {value} para um nome abaixo de {domain}.',
  quotedTxt: 'Coloque o valor de um registro TXT entre aspas duplas retas.',
  onePerLine: 'Digite vários valores na mesma caixa, um por linha.',
  twoZones:
    'Se houver duas zonas hospedadas para {domain}, use aquela cujos servidores de nomes estão no registrador.',
  ownProject:
    'Se um projeto da {at} tem o mesmo nome de host, os visitantes continuam vendo esse projeto. Remova o nome de host de {menu} nas configurações do projeto.',
  ownSite:
    'Enquanto {domain} estiver conectado a um site {at}, o site usa {domain} e www. Se você conecta um deles, desconecte antes o site.',
  noAaaa: 'Se {at} não tem uma seção para AAAA, deixe esse registro de fora.',
};

export const PT_BR_PANEL_NAMES: Texts['panelNames'] = {
  label: '“{name}”',
  value: '“{name}”',
  path: ' › ',
  next: ' ',
};
