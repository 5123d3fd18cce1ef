import type { Texts } from '../catalog.ts';

export const FR_FINDINGS: Texts['findings'] = {
  domain_not_registered: {
    title: 'Le domaine n’est pas enregistré',
    meaning:
      'Le registre du domaine de premier niveau ne connaît pas ce domaine : aucun enregistrement ne peut donc y être trouvé.',
    hint: 'Vérifiez l’orthographe[ de {name}]. Puis enregistrez le domaine, ou renouvelez-le auprès de son bureau d’enregistrement s’il a expiré.',
  },
  dns_delegation_lame: {
    title: 'Les serveurs de noms ne connaissent pas le domaine',
    meaning: 'Le bureau d’enregistrement indique des serveurs de noms qui ne répondent pas pour ce domaine.',
    hint: 'Auprès du bureau d’enregistrement, indiquez les serveurs de noms que l’hébergeur DNS donne pour ce domaine[. Actuellement : {found}].',
  },
  dnssec_invalid: {
    title: 'DNSSEC est invalide',
    meaning:
      'Les signatures DNSSEC du domaine ne correspondent pas à l’enregistrement DS du bureau d’enregistrement, et les résolveurs rejettent donc toutes les réponses. Cela arrive après un changement d’hébergeur DNS.',
    hint: 'Auprès du bureau d’enregistrement, supprimez l’ancien enregistrement DS, ou remplacez-le par celui que donne l’hébergeur DNS.',
  },
  domain_parked: {
    title: 'Le domaine est en parking',
    meaning:
      'Les serveurs de noms du domaine appartiennent à un service de parking, qui répond avec ses propres pages.',
    hint: 'Auprès du bureau d’enregistrement, remplacez les serveurs de noms du parking[ ({found})] par ceux d’un hébergeur DNS, puis ajoutez-y l’enregistrement.',
  },
  dns_conflicting_record: {
    title: 'Un autre enregistrement entre en conflit avec le CNAME',
    meaning:
      'Un CNAME doit être le seul enregistrement portant son nom. Ici il y en a d’autres, et les résolveurs peuvent utiliser l’un ou l’autre.',
    hint: 'Supprimez les autres enregistrements[ sous le nom {name}][ ({found})], pour qu’il ne reste que le CNAME[ vers {expected}].',
  },
  dns_apex_cname: {
    title: 'Un CNAME est impossible ici',
    meaning:
      'Un CNAME ne peut pas se trouver directement sur un domaine, ni sur une zone déléguée en dessous, et cet hébergeur DNS ne le convertit pas en adresses.',
    hint: 'Utilisez des enregistrements A et AAAA[ sous le nom {name}] au lieu d’un CNAME[ : {expected}][. Supprimez le CNAME vers {found}].',
  },
  dns_doubled_host: {
    title: 'Le nom contient le domaine deux fois',
    meaning:
      'L’hébergeur DNS ajoute le domaine à chaque nom. Le domaine a aussi été saisi, et s’y trouve donc deux fois.',
    hint: 'Changez le nom de l’enregistrement[ en {name}] : saisissez-le sans le domaine[. Il se trouve actuellement sous {found}].',
  },
  dns_doubled_target: {
    title: 'Le domaine a été ajouté à la valeur',
    meaning:
      'La valeur du CNAME se termine par votre propre domaine, car l’hébergeur DNS l’a lue comme un nom de ce domaine.',
    hint: 'Changez la valeur de l’enregistrement[ {name}][ en {expected}] et terminez-la par un point, pour que le domaine ne soit pas ajouté[. Elle est actuellement {found}].',
  },
  proxy_leads_here: {
    title: 'Votre domaine passe par un proxy',
    meaning: 'Un proxy ou CDN achemine vos visiteurs vers {app}. Tout fonctionne.',
    hint: 'Rien à faire : gardez l’enregistrement TXT, car il montre que le domaine est à vous.',
  },
  proxy_plain_http: {
    title: 'Votre proxy utilise HTTP sans chiffrement',
    meaning: 'Votre proxy ou CDN atteint {app} sans HTTPS : les visiteurs seraient redirigés en boucle.',
    hint: 'Faites en sorte que le proxy utilise HTTPS. Chez Cloudflare, réglez SSL/TLS sur « Full (strict) ».',
  },
  proxy_misdirects: {
    title: 'Votre proxy modifie ou retient des requêtes',
    meaning:
      'Un proxy ou CDN se trouve devant votre domaine. Il ne transmet pas toutes les requêtes à {app} telles quelles.',
    hint: 'Configurez-le pour transmettre chaque requête avec son chemin, ses en-têtes et ses cookies, et désactivez le cache. Ou désactivez le proxy.',
  },
  proxy_unreachable: {
    title: 'Votre proxy ne répond pas',
    meaning:
      'Un proxy ou CDN se trouve devant votre domaine, et les visiteurs ne peuvent pas atteindre {app} en passant par lui.',
    hint: 'Vérifiez les réglages du proxy. S’il redirige vers HTTPS, laissez passer /.well-known/ en HTTP jusqu’à ce que le domaine soit en ligne.',
  },
  proxy_https_failed: {
    title: 'HTTPS échoue sur votre proxy',
    meaning:
      'Les visiteurs voient une erreur : votre proxy n’a pas de certificat valide ou n’atteint pas {app} en HTTPS.',
    hint: 'Installez sur le proxy un certificat valide pour le domaine. Ou désactivez le proxy.',
  },
  dns_proxied: {
    title: 'L’enregistrement passe par le proxy de l’hébergeur DNS',
    meaning:
      'Le nom pointe vers les adresses d’un proxy au lieu des nôtres. L’autorité de certification ne peut pas le valider, et les visiteurs font un détour.',
    hint: 'Réglez l’enregistrement[ {name}] sur « DNS only » (chez Cloudflare, cliquez sur le nuage orange jusqu’à ce qu’il soit gris)[. Trouvé : {found}].',
  },
  dns_reserved_address: {
    title: 'L’adresse est privée ou réservée',
    meaning: 'Le nom pointe vers une adresse inaccessible depuis Internet.',
    hint: 'Remplacez l’adresse[ {found}][ sous le nom {name}] par un enregistrement qui pointe vers nous[ : type {type}][, valeur {expected}].',
  },
  dns_stale_aaaa: {
    title: 'L’enregistrement AAAA pointe ailleurs',
    meaning:
      'L’enregistrement A est correct, mais l’enregistrement AAAA envoie les visiteurs en IPv6 et l’autorité de certification vers un autre serveur.',
    hint: 'Supprimez l’enregistrement AAAA[ {found}][ sous le nom {name}][, ou remplacez-le par {expected}].',
  },
  dns_extra_addresses: {
    title: 'Le nom a aussi les adresses d’un autre serveur',
    meaning:
      'Certains visiteurs et l’autorité de certification arrivent sur un autre serveur, car le nom a aussi ses adresses.',
    hint: 'Supprimez les adresses qui ne sont pas les nôtres[ sous le nom {name}][ : {found}][. Gardez seulement {expected}].',
  },
  dns_record_mismatch: {
    title: 'L’enregistrement pointe ailleurs',
    meaning: 'Il y a un enregistrement portant ce nom, mais il pointe vers un autre service.',
    hint: 'Modifiez l’enregistrement[ {name}] pour qu’il pointe vers nous[ : type {type}][, valeur {expected}][. Il pointe actuellement vers {found}].',
  },
  dns_record_missing: {
    title: 'L’enregistrement est absent',
    meaning: 'Le domaine fonctionne, mais il n’y a pas d’enregistrement portant ce nom.',
    hint: 'Chez l’hébergeur DNS, ajoutez un enregistrement[ de type {type}][ nommé {name}][ avec la valeur {expected}].',
  },
  dns_https_elsewhere: {
    title: 'L’enregistrement HTTPS pointe ailleurs',
    meaning:
      'Un enregistrement HTTPS indique aux navigateurs le serveur, le port et les clés. Celui-ci les envoie vers un autre serveur, quoi que disent les autres enregistrements.',
    hint: 'Supprimez l’enregistrement HTTPS[ sous le nom {name}][ : {found}].',
  },
  dns_txt_mismatch: {
    title: 'L’enregistrement TXT a une autre valeur',
    meaning:
      'Il y a un enregistrement TXT portant ce nom, mais sans la valeur qui prouve que le domaine vous appartient.',
    hint: 'Modifiez l’enregistrement TXT[ {name}][ en {expected}, sans guillemets][. Il contient actuellement {found}].',
  },
  dns_txt_missing: {
    title: 'L’enregistrement TXT est absent',
    meaning:
      'Les adresses seules ne prouvent pas que le domaine vous appartient. C’est le rôle de l’enregistrement TXT, et il est absent.',
    hint: 'Chez l’hébergeur DNS, ajoutez un enregistrement TXT[ nommé {name}][ avec la valeur {expected}][. La valeur se trouve actuellement à {found}].',
  },
  dns_ns_mismatch: {
    title: 'Les listes de serveurs de noms diffèrent',
    meaning:
      'Le bureau d’enregistrement n’indique pas les mêmes serveurs de noms que la zone elle-même. Deux versions du domaine sont peut-être en service.',
    hint: 'Auprès du bureau d’enregistrement, indiquez les serveurs de noms que l’hébergeur DNS donne pour ce domaine[ : {expected}][. Actuellement : {found}].',
  },
  dns_acme_challenge_conflict: {
    title: 'Les certificats sont délégués à un autre prestataire',
    meaning:
      'Un CNAME à _acme-challenge permet à un autre prestataire d’obtenir des certificats pour ce nom, ce qui peut gêner les nôtres.',
    hint: 'Supprimez le CNAME à _acme-challenge[ ({name})], sauf si le prestataire derrière[, {found},] sert encore.',
  },
  dns_provider_syncing: {
    title: 'L’hébergeur DNS propage la modification',
    meaning:
      'Les serveurs de noms du domaine ne donnent pas encore tous la même réponse : l’hébergeur copie la modification de l’un à l’autre.',
    hint: 'Rien à faire : attendez {wait} que tous les serveurs de noms de l’hébergeur aient le nouvel enregistrement[. Pas encore : {found}].',
  },
  dns_propagating: {
    title: 'La modification se propage',
    meaning: 'L’enregistrement est correct. Une partie d’Internet utilise encore l’ancien.',
    hint: 'Rien à faire : attendez {wait} que l’ancienne réponse expire[. Un résolveur a encore {found}].',
  },
  dns_resolver_blocks: {
    title: 'Un service DNS bloque votre domaine',
    meaning:
      'L’opérateur d’un grand service DNS bloque votre domaine pour ses utilisateurs, souvent parce qu’il figure sur une liste de noms dangereux.',
    hint: 'Demandez à l’opérateur[ de {found}] de débloquer votre domaine. D’ici là, les personnes qui utilisent ce service ne peuvent pas ouvrir votre site.',
  },
  dns_resolver_unavailable: {
    title: 'Nous n’avons pas pu vérifier',
    meaning:
      'Un serveur DNS n’a pas répondu. Cela ne dit rien de votre enregistrement. Nous réessayons automatiquement.',
    hint: 'Si l’enregistrement ci-dessous n’existe pas encore, ajoutez-le maintenant.',
  },
  caa_forbids: {
    title: 'Notre certificat n’est pas encore autorisé',
    meaning:
      'Un enregistrement CAA de votre domaine liste les entreprises qui peuvent émettre des certificats pour lui. La nôtre n’y figure pas.',
    hint: 'Ajoutez un enregistrement CAA qui autorise notre autorité de certification[ sous le nom {name}][ : {expected}]. Gardez les enregistrements existants[ : {found}].',
  },
  caa_lookup_failed: {
    title: 'Nous ne voyons pas qui peut émettre des certificats',
    meaning:
      'Les serveurs de votre hébergeur DNS renvoient une erreur quand on leur demande les enregistrements CAA. Sans réponse, aucun certificat ne peut être émis.',
    hint: 'Demandez à l’hébergeur DNS pourquoi ses serveurs renvoient une erreur pour les enregistrements CAA[ sous le nom {name}]. Nous réessayons automatiquement.',
  },
  ca_rejected: {
    title: 'L’autorité de certification refuse ce nom',
    meaning: 'Les règles de l’autorité de certification ne permettent pas de certificat pour ce nom.',
    hint: 'L’autorité de certification n’émet pas de certificats pour ce nom. Demandez de l’aide à {app}.',
  },
  ca_refused: {
    title: 'Nous ne pouvons pas obtenir le certificat pour le moment',
    meaning:
      'L’autorité de certification nous demande d’agir d’abord. Vos enregistrements DNS ne sont pas en cause.',
    hint: 'Vous n’avez rien à modifier dans votre DNS. Demandez de l’aide à {app}.',
  },
  ca_challenge_failed: {
    title: 'L’autorité de certification n’a pas pu joindre ce nom',
    meaning:
      'L’autorité de certification se connecte depuis plusieurs endroits du monde. Certaines de ses connexions ne nous sont pas parvenues.',
    hint: 'Vérifiez que le nom ne pointe que vers nous[ ({expected})] partout, et qu’aucun pare-feu ni filtre par pays ne bloque le passage[. Trouvé : {found}].',
  },
  ca_rate_limited: {
    title: 'L’autorité de certification nous demande d’attendre',
    meaning:
      'L’autorité de certification limite le nombre de certificats qu’elle émet pour un domaine sur une période.',
    hint: 'Rien à faire : nous réessayons automatiquement[ après {wait}].',
  },
  ca_unavailable: {
    title: 'L’autorité de certification ne répond pas',
    meaning: 'L’autorité de certification a rencontré une erreur ou n’a pas répondu à temps.',
    hint: 'Rien à faire : nous réessayons automatiquement.',
  },
  edge_not_ready: {
    title: 'Nos serveurs ne sont pas prêts pour le certificat',
    meaning:
      'Nous vérifions nos propres serveurs avant l’autorité de certification, puis avant la mise en ligne. Ils n’ont pas répondu comme prévu, nous nous sommes donc arrêtés.',
    hint: 'Rien à faire : l’erreur vient de nous, et nous réessayons automatiquement.',
  },
  hostname_routed_elsewhere: {
    title: 'Un autre service utilise ce domaine',
    meaning: 'Un domaine ne peut être connecté qu’à un service à la fois. Le vôtre l’est à un autre.',
    hint: 'Déconnectez d’abord le domaine de l’autre service. Rétablissez ensuite les enregistrements pour {app}.',
  },
  whitelabel_unverified: {
    title: '{app} doit corriger quelque chose',
    meaning: 'Votre enregistrement pointe vers une adresse de {app} qui ne fonctionne pas pour le moment.',
    hint: 'Vous n’avez rien à faire. Si cela dure, contactez {app}.',
  },
  whitelabel_ended: {
    title: 'L’enregistrement a besoin d’une nouvelle valeur',
    meaning: 'Votre enregistrement pointe vers une adresse que {app} n’utilise plus.',
    hint: 'Remplacez la valeur de l’enregistrement par celle ci-dessous.',
  },
};

export const FR_WAITS: Texts['waits'] = {
  fewMinutes: 'quelques minutes',
  atMost: 'au plus {duration}',
};
