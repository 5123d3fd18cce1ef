import type { Texts } from '../catalog.ts';

export const DE_FINDINGS: Texts['findings'] = {
  domain_not_registered: {
    title: 'Die Domain ist nicht registriert',
    meaning:
      'Die Vergabestelle der Top-Level-Domain kennt die Domain nicht. Deshalb ist darunter kein Eintrag zu finden.',
    hint: 'Prüfen Sie die Schreibweise[ von {name}]. Registrieren Sie die Domain, oder verlängern Sie sie bei ihrem Registrar, falls sie abgelaufen ist.',
  },
  dns_delegation_lame: {
    title: 'Die Nameserver kennen die Domain nicht',
    meaning: 'Beim Registrar sind Nameserver eingetragen, die für die Domain nicht antworten.',
    hint: 'Tragen Sie beim Registrar die Nameserver ein, die der DNS-Anbieter für diese Domain nennt[. Jetzt eingetragen: {found}].',
  },
  dnssec_invalid: {
    title: 'DNSSEC ist fehlerhaft',
    meaning:
      'Die DNSSEC-Signaturen der Domain passen nicht zum DS-Eintrag beim Registrar. Deshalb verwerfen Resolver jede Antwort. Das geschieht nach einem Wechsel des DNS-Anbieters.',
    hint: 'Entfernen Sie beim Registrar den alten DS-Eintrag, oder ersetzen Sie ihn durch den, den der DNS-Anbieter nennt.',
  },
  domain_parked: {
    title: 'Die Domain ist geparkt',
    meaning: 'Die Nameserver der Domain gehören einem Parkdienst, der mit eigenen Seiten antwortet.',
    hint: 'Ersetzen Sie beim Registrar die Nameserver des Parkdienstes[ ({found})] durch die eines DNS-Anbieters, und legen Sie dort den Eintrag an.',
  },
  dns_conflicting_record: {
    title: 'Ein anderer Eintrag steht dem CNAME im Weg',
    meaning:
      'Ein CNAME muss der einzige Eintrag unter seinem Namen sein. Hier gibt es weitere, und Resolver können den einen oder den anderen verwenden.',
    hint: 'Entfernen Sie die anderen Einträge[ bei {name}][ ({found})], sodass nur der CNAME[ auf {expected}] übrig bleibt.',
  },
  dns_apex_cname: {
    title: 'Hier ist kein CNAME möglich',
    meaning:
      'Für eine Domain selbst und für eine delegierte Zone darunter ist kein CNAME möglich. Dieser DNS-Anbieter wandelt ihn auch nicht in Adressen um.',
    hint: 'Verwenden Sie A- und AAAA-Einträge[ bei {name}] statt eines CNAME[: {expected}][. Entfernen Sie den CNAME auf {found}].',
  },
  dns_doubled_host: {
    title: 'Der Name enthält die Domain doppelt',
    meaning:
      'Der DNS-Anbieter hängt die Domain an jeden Namen an. Sie wurde zusätzlich eingegeben und steht deshalb doppelt da.',
    hint: 'Ändern Sie den Namen des Eintrags[ in {name}]: Geben Sie ihn ohne die Domain ein[. Jetzt steht er bei {found}].',
  },
  dns_doubled_target: {
    title: 'An den Wert wurde die Domain angehängt',
    meaning:
      'Der Wert des CNAME endet mit Ihrer eigenen Domain, weil der DNS-Anbieter ihn als Namen in dieser Domain gelesen hat.',
    hint: 'Ändern Sie den Wert des Eintrags[ {name}][ in {expected}], und setzen Sie einen Punkt ans Ende, damit die Domain nicht angehängt wird[. Jetzt lautet er {found}].',
  },
  proxy_leads_here: {
    title: 'Ihre Domain läuft über einen Proxy',
    meaning: 'Ein Proxy oder CDN leitet Ihre Besucher an {app} weiter. Das funktioniert.',
    hint: 'Es ist nichts zu tun: Behalten Sie den TXT-Eintrag, denn er zeigt, dass die Domain Ihnen gehört.',
  },
  proxy_plain_http: {
    title: 'Ihr Proxy verwendet unverschlüsseltes HTTP',
    meaning:
      'Ihr Proxy oder CDN erreicht {app} ohne HTTPS. Besucher würden deshalb in einer Endlosschleife landen.',
    hint: 'Lassen Sie den Proxy HTTPS verwenden. Stellen Sie bei Cloudflare SSL/TLS auf „Full (strict)“.',
  },
  proxy_misdirects: {
    title: 'Ihr Proxy verändert Anfragen oder hält sie zurück',
    meaning:
      'Vor Ihrer Domain steht ein Proxy oder CDN. Nicht jede Anfrage kommt von dort unverändert bei {app} an.',
    hint: 'Lassen Sie den Proxy jede Anfrage mit Pfad, Headern und Cookies weiterleiten, und schalten Sie seinen Cache aus. Oder schalten Sie den Proxy aus.',
  },
  proxy_unreachable: {
    title: 'Ihr Proxy antwortet nicht',
    meaning: 'Vor Ihrer Domain steht ein Proxy oder CDN, und Besucher erreichen {app} nicht über ihn.',
    hint: 'Prüfen Sie die Einstellungen des Proxys. Wenn er auf HTTPS umleitet, lassen Sie /.well-known/ über HTTP durch, bis die Domain online ist.',
  },
  proxy_https_failed: {
    title: 'HTTPS scheitert an Ihrem Proxy',
    meaning:
      'Besucher sehen einen Fehler: Ihr Proxy hat kein gültiges Zertifikat oder erreicht {app} nicht über HTTPS.',
    hint: 'Hinterlegen Sie im Proxy ein gültiges Zertifikat für die Domain. Oder schalten Sie den Proxy aus.',
  },
  dns_proxied: {
    title: 'Der Eintrag läuft über den Proxy des DNS-Anbieters',
    meaning:
      'Der Name führt zu den Adressen eines Proxys statt zu unseren. Die Zertifizierungsstelle kann ihn nicht prüfen, und die Besucher nehmen einen Umweg.',
    hint: 'Stellen Sie den Eintrag[ {name}] auf „DNS only“ (bei Cloudflare: auf die orange Wolke klicken, bis sie grau ist)[. Gefunden: {found}].',
  },
  dns_reserved_address: {
    title: 'Die Adresse ist privat oder reserviert',
    meaning: 'Der Name führt zu einer Adresse, die aus dem Internet nicht erreichbar ist.',
    hint: 'Ersetzen Sie die Adresse[ {found}][ bei {name}] durch einen Eintrag, der zu uns führt[: Typ {type}][, Wert {expected}].',
  },
  dns_stale_aaaa: {
    title: 'Der AAAA-Eintrag zeigt woandershin',
    meaning:
      'Der A-Eintrag ist richtig, aber der AAAA-Eintrag führt Besucher mit IPv6 und die Zertifizierungsstelle zu einem anderen Server.',
    hint: 'Entfernen Sie den AAAA-Eintrag[ {found}][ bei {name}][, oder ersetzen Sie ihn durch {expected}].',
  },
  dns_extra_addresses: {
    title: 'Der Name hat auch fremde Adressen',
    meaning:
      'Manche Besucher und die Zertifizierungsstelle erreichen einen anderen Server, weil der Name auch dessen Adressen hat.',
    hint: 'Entfernen Sie die Adressen, die nicht unsere sind[, bei {name}][: {found}][. Behalten Sie nur {expected}].',
  },
  dns_record_mismatch: {
    title: 'Der Eintrag zeigt woandershin',
    meaning: 'Es gibt einen Eintrag mit diesem Namen, aber er führt zu einem anderen Dienst.',
    hint: 'Ändern Sie den Eintrag[ {name}], sodass er zu uns führt[: Typ {type}][, Wert {expected}][. Jetzt zeigt er auf {found}].',
  },
  dns_record_missing: {
    title: 'Der Eintrag fehlt',
    meaning: 'Die Domain ist in Ordnung, aber es gibt keinen Eintrag mit diesem Namen.',
    hint: 'Legen Sie beim DNS-Anbieter einen Eintrag an[: Typ {type}][, Name {name}][, Wert {expected}].',
  },
  dns_https_elsewhere: {
    title: 'Der HTTPS-Eintrag zeigt woandershin',
    meaning:
      'Ein HTTPS-Eintrag nennt Browsern Server, Port und Schlüssel. Dieser führt sie zu einem anderen Server, ganz gleich, was in den übrigen Einträgen steht.',
    hint: 'Entfernen Sie den HTTPS-Eintrag[ bei {name}][: {found}].',
  },
  dns_txt_mismatch: {
    title: 'Der TXT-Eintrag hat einen anderen Wert',
    meaning:
      'Unter dem Namen gibt es einen TXT-Eintrag, aber nicht mit dem Wert, der belegt, dass die Domain Ihnen gehört.',
    hint: 'Ändern Sie den TXT-Eintrag[ {name}][ in {expected}, ohne Anführungszeichen][. Jetzt enthält er {found}].',
  },
  dns_txt_missing: {
    title: 'Der TXT-Eintrag fehlt',
    meaning:
      'Adressen allein belegen nicht, dass die Domain Ihnen gehört. Das tut der TXT-Eintrag, und er fehlt.',
    hint: 'Legen Sie beim DNS-Anbieter einen TXT-Eintrag an[ mit dem Namen {name}][ und dem Wert {expected}][. Der Wert steht jetzt stattdessen bei {found}].',
  },
  dns_ns_mismatch: {
    title: 'Registrar und DNS-Anbieter nennen verschiedene Nameserver',
    meaning:
      'Beim Registrar stehen andere Nameserver als in der Zone selbst. Vielleicht sind zwei Fassungen der Domain im Umlauf.',
    hint: 'Tragen Sie beim Registrar die Nameserver ein, die der DNS-Anbieter für diese Domain nennt[: {expected}][. Jetzt eingetragen: {found}].',
  },
  dns_acme_challenge_conflict: {
    title: 'Zertifikate sind an einen anderen Anbieter delegiert',
    meaning:
      'Über einen CNAME bei _acme-challenge kann ein anderer Anbieter Zertifikate für den Namen holen. Das kann unsere stören.',
    hint: 'Entfernen Sie den CNAME bei _acme-challenge[ ({name})], außer der Anbieter dahinter[, {found},] wird noch genutzt.',
  },
  dns_provider_syncing: {
    title: 'Der DNS-Anbieter verteilt die Änderung',
    meaning:
      'Die Nameserver der Domain sind sich noch nicht einig: Der Anbieter kopiert die Änderung von einem zum nächsten.',
    hint: 'Sie müssen nichts tun. Warten Sie {wait}, bis alle Nameserver des Anbieters den neuen Eintrag haben[. Noch nicht: {found}].',
  },
  dns_propagating: {
    title: 'Die Änderung verbreitet sich',
    meaning: 'Der Eintrag ist richtig. Teile des Internets erinnern sich noch an den alten.',
    hint: 'Sie müssen nichts tun. Warten Sie {wait}, bis die alte Antwort abläuft[. Ein Resolver hat noch {found}].',
  },
  dns_resolver_blocks: {
    title: 'Ein DNS-Dienst sperrt Ihre Domain',
    meaning:
      'Der Betreiber eines großen DNS-Dienstes sperrt Ihre Domain für seine Nutzer, oft weil sie auf einer Liste unsicherer Namen steht.',
    hint: 'Bitten Sie den Betreiber[ von {found}], Ihre Domain zu entsperren. Bis dahin kann niemand, der diesen Dienst verwendet, Ihre Website öffnen.',
  },
  dns_resolver_unavailable: {
    title: 'Wir konnten gerade nicht prüfen',
    meaning:
      'Ein DNS-Server hat nicht geantwortet. Das sagt nichts über Ihren Eintrag aus. Wir versuchen es automatisch erneut.',
    hint: 'Wenn der Eintrag unten noch fehlt, legen Sie ihn jetzt an.',
  },
  caa_forbids: {
    title: 'Unser Zertifikat ist noch nicht erlaubt',
    meaning:
      'Ein CAA-Eintrag Ihrer Domain nennt die Firmen, die Zertifikate dafür ausstellen dürfen. Unsere ist nicht dabei.',
    hint: 'Legen Sie einen CAA-Eintrag an, der unsere Zertifizierungsstelle erlaubt[, bei {name}][: {expected}]. Behalten Sie die vorhandenen Einträge[: {found}].',
  },
  caa_lookup_failed: {
    title: 'Wir sehen nicht, wer Zertifikate ausstellen darf',
    meaning:
      'Die Server Ihres DNS-Anbieters antworten mit einem Fehler, wenn sie nach CAA-Einträgen gefragt werden. Ohne Antwort darf kein Zertifikat ausgestellt werden.',
    hint: 'Fragen Sie den DNS-Anbieter, warum seine Server bei Anfragen nach CAA-Einträgen[ bei {name}] einen Fehler melden. Wir versuchen es automatisch erneut.',
  },
  ca_rejected: {
    title: 'Die Zertifizierungsstelle lehnt den Namen ab',
    meaning: 'Die Regeln der Zertifizierungsstelle erlauben für diesen Namen kein Zertifikat.',
    hint: 'Die Zertifizierungsstelle stellt für diesen Namen keine Zertifikate aus. Bitten Sie {app} um Hilfe.',
  },
  ca_refused: {
    title: 'Wir erhalten das Zertifikat zurzeit nicht',
    meaning:
      'Die Zertifizierungsstelle verlangt zuerst etwas von uns. Ihre DNS-Einträge sind nicht die Ursache.',
    hint: 'Sie müssen nichts an Ihrem DNS ändern. Bitten Sie {app} um Hilfe.',
  },
  ca_challenge_failed: {
    title: 'Die Zertifizierungsstelle hat den Namen nicht erreicht',
    meaning:
      'Die Zertifizierungsstelle verbindet sich von mehreren Orten der Welt aus. Einige dieser Verbindungen kamen nicht bei uns an.',
    hint: 'Prüfen Sie, dass der Name überall nur zu uns führt[ ({expected})] und dass keine Firewall und kein Länderfilter im Weg steht[. Gefunden: {found}].',
  },
  ca_rate_limited: {
    title: 'Die Zertifizierungsstelle bittet um Geduld',
    meaning:
      'Die Zertifizierungsstelle begrenzt, wie viele Zertifikate sie in einem Zeitraum für eine Domain ausstellt.',
    hint: 'Sie müssen nichts tun. Wir versuchen es automatisch erneut[, nach {wait}].',
  },
  ca_unavailable: {
    title: 'Die Zertifizierungsstelle antwortet nicht',
    meaning: 'Die Zertifizierungsstelle hatte einen Fehler oder hat nicht rechtzeitig geantwortet.',
    hint: 'Sie müssen nichts tun. Wir versuchen es automatisch erneut.',
  },
  edge_not_ready: {
    title: 'Unsere Server sind für das Zertifikat noch nicht bereit',
    meaning:
      'Wir prüfen unsere Server, bevor die Zertifizierungsstelle es tut, und noch einmal, bevor die Domain online geht. Sie haben nicht wie erwartet geantwortet, deshalb haben wir angehalten.',
    hint: 'Sie müssen nichts tun. Der Fehler liegt bei uns, und wir versuchen es automatisch erneut.',
  },
  hostname_routed_elsewhere: {
    title: 'Ein anderer Dienst nutzt diese Domain',
    meaning:
      'Eine Domain kann immer nur mit einem Dienst verbunden sein. Ihre ist mit einem anderen verbunden.',
    hint: 'Trennen Sie die Domain zuerst vom anderen Dienst. Stellen Sie dann die Einträge für {app} wieder her.',
  },
  whitelabel_unverified: {
    title: '{app} muss etwas korrigieren',
    meaning: 'Ihr Eintrag zeigt auf eine Adresse von {app}, die im Moment nicht funktioniert.',
    hint: 'Sie müssen nichts tun. Wenn es länger dauert, fragen Sie {app}.',
  },
  whitelabel_ended: {
    title: 'Der Eintrag braucht einen neuen Wert',
    meaning: 'Ihr Eintrag zeigt auf eine Adresse, die {app} nicht mehr verwendet.',
    hint: 'Ändern Sie den Eintrag auf den Wert unten.',
  },
};

export const DE_WAITS: Texts['waits'] = {
  fewMinutes: 'einige Minuten',
  atMost: 'höchstens {duration}',
};
