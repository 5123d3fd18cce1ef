import type { Texts } from '../catalog.ts';

export const PT_BR_FINDINGS: Texts['findings'] = {
  domain_not_registered: {
    title: 'O domínio não está registrado',
    meaning:
      'A entidade responsável pelo domínio de topo não conhece este domínio, então nenhum registro pode ser encontrado nele.',
    hint: 'Confira a grafia[ de {name}]. Depois registre o domínio, ou renove-o no registrador se ele expirou.',
  },
  dns_delegation_lame: {
    title: 'Os servidores de nomes não conhecem o domínio',
    meaning: 'O registrador indica servidores de nomes que não respondem por este domínio.',
    hint: 'No registrador, informe os servidores de nomes que o provedor de DNS indica para este domínio[. Agora: {found}].',
  },
  dnssec_invalid: {
    title: 'O DNSSEC está inválido',
    meaning:
      'As assinaturas DNSSEC do domínio não correspondem ao registro DS do registrador, então os resolvedores rejeitam todas as respostas. Isso acontece depois de uma troca de provedor de DNS.',
    hint: 'No registrador, remova o registro DS antigo ou substitua-o pelo que o provedor de DNS indica.',
  },
  domain_parked: {
    title: 'O domínio está estacionado',
    meaning:
      'Os servidores de nomes do domínio são de um serviço de estacionamento, que responde com as próprias páginas.',
    hint: 'No registrador, troque os servidores de nomes do estacionamento[ ({found})] pelos de um provedor de DNS e adicione o registro lá.',
  },
  dns_conflicting_record: {
    title: 'Outro registro conflita com o CNAME',
    meaning:
      'Um CNAME precisa ser o único registro do seu nome. Aqui há outros, e os resolvedores podem usar qualquer um.',
    hint: 'Remova os outros registros[ em {name}][ ({found})], para que reste só o CNAME[ para {expected}].',
  },
  dns_apex_cname: {
    title: 'Aqui não pode haver um CNAME',
    meaning:
      'Um CNAME não pode ficar diretamente em um domínio, nem em uma zona delegada abaixo dele, e este provedor de DNS não o converte em endereços.',
    hint: 'Use registros A e AAAA[ em {name}] em vez de um CNAME[: {expected}][. Remova o CNAME para {found}].',
  },
  dns_doubled_host: {
    title: 'O nome contém o domínio duas vezes',
    meaning:
      'O provedor de DNS acrescenta o domínio a cada nome. Ele também foi digitado e, por isso, aparece duas vezes.',
    hint: 'Mude o nome do registro[ para {name}]: digite-o sem o domínio[. Agora ele está em {found}].',
  },
  dns_doubled_target: {
    title: 'O domínio foi acrescentado ao valor',
    meaning:
      'O valor do CNAME termina com o seu próprio domínio, porque o provedor de DNS o leu como um nome desse domínio.',
    hint: 'Mude o valor do registro[ {name}][ para {expected}] e termine-o com um ponto, para que o domínio não seja acrescentado[. Agora é {found}].',
  },
  proxy_leads_here: {
    title: 'Seu domínio passa por um proxy',
    meaning: 'Um proxy ou CDN encaminha seus visitantes para {app}. Tudo funciona.',
    hint: 'Você não precisa fazer nada: mantenha o registro TXT, pois ele mostra que o domínio é seu.',
  },
  proxy_plain_http: {
    title: 'Seu proxy usa HTTP sem criptografia',
    meaning:
      'Seu proxy ou CDN acessa {app} sem HTTPS, e os visitantes cairiam em um redirecionamento sem fim.',
    hint: 'Faça o proxy usar HTTPS. Na Cloudflare, coloque SSL/TLS em “Full (strict)”.',
  },
  proxy_misdirects: {
    title: 'Seu proxy altera ou retém requisições',
    meaning:
      'Há um proxy ou CDN na frente do seu domínio. Ele não encaminha todas as requisições para {app} sem alterações.',
    hint: 'Faça o proxy encaminhar cada requisição com caminho, cabeçalhos e cookies, e desligue o cache. Ou desligue o proxy.',
  },
  proxy_unreachable: {
    title: 'Seu proxy não responde',
    meaning: 'Há um proxy ou CDN na frente do seu domínio, e os visitantes não chegam a {app} por ele.',
    hint: 'Confira as configurações do proxy. Se ele redireciona para HTTPS, deixe /.well-known/ passar por HTTP até o domínio estar no ar.',
  },
  proxy_https_failed: {
    title: 'O HTTPS falha no seu proxy',
    meaning:
      'Os visitantes veem um erro: seu proxy não tem um certificado válido ou não acessa {app} por HTTPS.',
    hint: 'Instale no proxy um certificado válido para o domínio. Ou desligue o proxy.',
  },
  dns_proxied: {
    title: 'O registro passa pelo proxy do provedor de DNS',
    meaning:
      'O nome aponta para os endereços de um proxy, e não para os nossos. A autoridade certificadora não consegue validá-lo, e os visitantes fazem um desvio.',
    hint: 'Coloque o registro[ {name}] em “DNS only” (na Cloudflare, clique na nuvem laranja até ficar cinza)[. Encontrado: {found}].',
  },
  dns_reserved_address: {
    title: 'O endereço é privado ou reservado',
    meaning: 'O nome aponta para um endereço que não pode ser acessado pela internet.',
    hint: 'Troque o endereço[ {found}][ em {name}] por um registro que aponte para nós[: tipo {type}][, valor {expected}].',
  },
  dns_stale_aaaa: {
    title: 'O registro AAAA aponta para outro lugar',
    meaning:
      'O registro A está certo, mas o registro AAAA leva os visitantes com IPv6 e a autoridade certificadora a outro servidor.',
    hint: 'Remova o registro AAAA[ {found}][ em {name}][, ou troque-o por {expected}].',
  },
  dns_extra_addresses: {
    title: 'O nome também tem endereços de outros',
    meaning:
      'Alguns visitantes e a autoridade certificadora chegam a outro servidor, porque o nome também tem os endereços dele.',
    hint: 'Remova os endereços que não são nossos[ em {name}][: {found}][. Mantenha só {expected}].',
  },
  dns_record_mismatch: {
    title: 'O registro aponta para outro lugar',
    meaning: 'Há um registro com esse nome, mas ele aponta para outro serviço.',
    hint: 'Altere o registro[ {name}] para que ele aponte para nós[: tipo {type}][, valor {expected}][. Agora ele aponta para {found}].',
  },
  dns_record_missing: {
    title: 'Falta o registro',
    meaning: 'O domínio está em ordem, mas não há nenhum registro com esse nome.',
    hint: 'No provedor de DNS, adicione um registro[ do tipo {type}][ com o nome {name}][ e o valor {expected}].',
  },
  dns_https_elsewhere: {
    title: 'O registro HTTPS aponta para outro lugar',
    meaning:
      'Um registro HTTPS diz aos navegadores qual servidor, porta e chaves usar. Este os leva a outro servidor, não importa o que digam os outros registros.',
    hint: 'Remova o registro HTTPS[ em {name}][: {found}].',
  },
  dns_txt_mismatch: {
    title: 'O registro TXT tem outro valor',
    meaning: 'Há um registro TXT com esse nome, mas sem o valor que prova que o domínio é seu.',
    hint: 'Altere o registro TXT[ {name}][ para {expected}, sem aspas][. Agora ele contém {found}].',
  },
  dns_txt_missing: {
    title: 'Falta o registro TXT',
    meaning:
      'Os endereços sozinhos não provam que o domínio é seu. O registro TXT prova, e ele está faltando.',
    hint: 'No provedor de DNS, adicione um registro TXT[ com o nome {name}][ e o valor {expected}][. O valor está agora em {found}].',
  },
  dns_ns_mismatch: {
    title: 'As listas de servidores de nomes são diferentes',
    meaning:
      'Os servidores de nomes do registrador não são os da própria zona, então pode haver duas versões do domínio em uso.',
    hint: 'No registrador, informe os servidores de nomes que o provedor de DNS indica para este domínio[: {expected}][. Agora: {found}].',
  },
  dns_acme_challenge_conflict: {
    title: 'Os certificados estão delegados a outro provedor',
    meaning:
      'Um CNAME em _acme-challenge permite que outro provedor obtenha certificados para este nome, o que pode atrapalhar os nossos.',
    hint: 'Remova o CNAME em _acme-challenge[ ({name})], a não ser que o provedor por trás dele[, {found},] ainda esteja em uso.',
  },
  dns_provider_syncing: {
    title: 'O provedor de DNS está copiando a mudança',
    meaning:
      'Os servidores de nomes do domínio ainda não estão sincronizados: o provedor copia a mudança de um para o outro.',
    hint: 'Você não precisa fazer nada: espere {wait} até todos os servidores de nomes do provedor terem o novo registro[. Ainda não: {found}].',
  },
  dns_propagating: {
    title: 'A mudança está se propagando',
    meaning: 'O registro está certo. Parte da internet ainda usa o antigo.',
    hint: 'Você não precisa fazer nada: espere {wait} até a resposta antiga expirar[. Um resolvedor ainda tem {found}].',
  },
  dns_resolver_blocks: {
    title: 'Um serviço de DNS bloqueia o seu domínio',
    meaning:
      'O operador de um grande serviço de DNS bloqueia o seu domínio para os usuários dele, muitas vezes porque ele está em uma lista de nomes inseguros.',
    hint: 'Peça ao operador[ de {found}] que desbloqueie o seu domínio. Até lá, quem usa esse serviço não consegue abrir o seu site.',
  },
  dns_resolver_unavailable: {
    title: 'Não conseguimos verificar agora',
    meaning:
      'Um servidor DNS não respondeu. Isso não diz nada sobre o seu registro. Tentamos de novo automaticamente.',
    hint: 'Se o registro abaixo ainda não existe, adicione-o agora.',
  },
  caa_forbids: {
    title: 'Nosso certificado ainda não é permitido',
    meaning:
      'Um registro CAA do seu domínio lista as empresas que podem emitir certificados para ele. A nossa não está entre elas.',
    hint: 'Adicione um registro CAA que permita a nossa autoridade certificadora[ em {name}][: {expected}]. Mantenha os registros existentes[: {found}].',
  },
  caa_lookup_failed: {
    title: 'Não conseguimos ver quem pode emitir certificados',
    meaning:
      'Os servidores do seu provedor de DNS falham quando são consultados sobre registros CAA. Sem resposta, nenhum certificado pode ser emitido.',
    hint: 'Pergunte ao provedor de DNS por que os servidores dele falham na consulta de registros CAA[ em {name}]. Tentamos de novo automaticamente.',
  },
  ca_rejected: {
    title: 'A autoridade certificadora recusa o nome',
    meaning: 'As regras da autoridade certificadora não permitem um certificado para este nome.',
    hint: 'A autoridade certificadora não emite certificados para este nome. Peça ajuda a {app}.',
  },
  ca_refused: {
    title: 'No momento não conseguimos o certificado',
    meaning:
      'A autoridade certificadora pede que nós façamos algo antes. Seus registros DNS não são a causa.',
    hint: 'Você não precisa mudar nada no seu DNS. Peça ajuda a {app}.',
  },
  ca_challenge_failed: {
    title: 'A autoridade certificadora não conseguiu acessar o nome',
    meaning:
      'A autoridade certificadora se conecta de vários lugares do mundo. Algumas dessas conexões não chegaram até nós.',
    hint: 'Confira se o nome aponta só para nós[ ({expected})] em todo lugar, e se nenhum firewall ou filtro por país bloqueia o caminho[. Encontrado: {found}].',
  },
  ca_rate_limited: {
    title: 'A autoridade certificadora nos pede para esperar',
    meaning: 'A autoridade certificadora limita quantos certificados emite para um domínio em um período.',
    hint: 'Você não precisa fazer nada: tentamos de novo automaticamente[ depois de {wait}].',
  },
  ca_unavailable: {
    title: 'A autoridade certificadora não responde',
    meaning: 'A autoridade certificadora teve um erro ou não respondeu a tempo.',
    hint: 'Você não precisa fazer nada: tentamos de novo automaticamente.',
  },
  edge_not_ready: {
    title: 'Nossos servidores ainda não estão prontos para o certificado',
    meaning:
      'Verificamos nossos próprios servidores antes da autoridade certificadora, e de novo antes de o domínio entrar no ar. Eles não responderam como deviam, então paramos.',
    hint: 'Você não precisa fazer nada: a falha é nossa, e tentamos de novo automaticamente.',
  },
  hostname_routed_elsewhere: {
    title: 'Outro serviço usa este domínio',
    meaning: 'Um domínio só pode estar conectado a um serviço por vez. O seu está conectado a outro.',
    hint: 'Primeiro desconecte o domínio do outro serviço. Depois restaure os registros para {app}.',
  },
  whitelabel_unverified: {
    title: '{app} precisa corrigir algo',
    meaning: 'Seu registro aponta para um endereço de {app} que não funciona no momento.',
    hint: 'Você não precisa fazer nada. Se demorar, fale com {app}.',
  },
  whitelabel_ended: {
    title: 'O registro precisa de um novo valor',
    meaning: 'Seu registro aponta para um endereço que {app} não usa mais.',
    hint: 'Mude o registro para o valor abaixo.',
  },
};

export const PT_BR_WAITS: Texts['waits'] = {
  fewMinutes: 'alguns minutos',
  atMost: 'no máximo {duration}',
};
