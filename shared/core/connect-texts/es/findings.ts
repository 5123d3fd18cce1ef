import type { Texts } from '../catalog.ts';

export const ES_FINDINGS: Texts['findings'] = {
  domain_not_registered: {
    title: 'El dominio no está registrado',
    meaning:
      'La entidad que gestiona el dominio de nivel superior no conoce este dominio, así que no se puede encontrar ningún registro en él.',
    hint: 'Revisa la ortografía[ de {name}]. Después registra el dominio, o renuévalo en su registrador si ha caducado.',
  },
  dns_delegation_lame: {
    title: 'Los servidores de nombres no conocen el dominio',
    meaning: 'El registrador indica servidores de nombres que no responden para este dominio.',
    hint: 'En el registrador, indica los servidores de nombres que el proveedor de DNS da para este dominio[. Ahora: {found}].',
  },
  dnssec_invalid: {
    title: 'DNSSEC no es válido',
    meaning:
      'Las firmas DNSSEC del dominio no coinciden con el registro DS del registrador, así que los resolutores rechazan todas las respuestas. Ocurre tras cambiar de proveedor de DNS.',
    hint: 'En el registrador, elimina el registro DS antiguo o sustitúyelo por el que da el proveedor de DNS.',
  },
  domain_parked: {
    title: 'El dominio está aparcado',
    meaning:
      'Los servidores de nombres del dominio son de un servicio de aparcamiento, que responde con sus propias páginas.',
    hint: 'En el registrador, sustituye los servidores de nombres del aparcamiento[ ({found})] por los de un proveedor de DNS y añade allí el registro.',
  },
  dns_conflicting_record: {
    title: 'Otro registro choca con el CNAME',
    meaning:
      'Un CNAME debe ser el único registro de su nombre. Aquí hay otros, y los resolutores pueden usar cualquiera.',
    hint: 'Elimina los otros registros[ en {name}][ ({found})], para que solo quede el CNAME[ hacia {expected}].',
  },
  dns_apex_cname: {
    title: 'Aquí no puede haber un CNAME',
    meaning:
      'Un CNAME no puede estar directamente en un dominio, ni en una zona delegada por debajo, y este proveedor de DNS no lo convierte en direcciones.',
    hint: 'Usa registros A y AAAA[ en {name}] en lugar de un CNAME[: {expected}][. Elimina el CNAME hacia {found}].',
  },
  dns_doubled_host: {
    title: 'El nombre contiene el dominio dos veces',
    meaning:
      'El proveedor de DNS añade el dominio a cada nombre. Como también se escribió en el formulario, aparece dos veces.',
    hint: 'Cambia el nombre del registro[ a {name}]: escríbelo sin el dominio[. Ahora está en {found}].',
  },
  dns_doubled_target: {
    title: 'El dominio se añadió al valor',
    meaning:
      'El valor del CNAME termina en tu propio dominio, porque el proveedor de DNS lo leyó como un nombre de ese dominio.',
    hint: 'Cambia el valor del registro[ {name}][ a {expected}] y termínalo con un punto, para que no se añada el dominio[. Ahora es {found}].',
  },
  proxy_leads_here: {
    title: 'Tu dominio pasa por un proxy',
    meaning: 'Un proxy o CDN envía a tus visitantes a {app}. Todo funciona.',
    hint: 'No tienes que hacer nada: conserva el registro TXT, porque demuestra que el dominio es tuyo.',
  },
  proxy_plain_http: {
    title: 'Tu proxy usa HTTP sin cifrar',
    meaning:
      'Tu proxy o CDN llega a {app} sin HTTPS, así que los visitantes caerían en una redirección sin fin.',
    hint: 'Haz que el proxy use HTTPS. En Cloudflare, pon SSL/TLS en «Full (strict)».',
  },
  proxy_misdirects: {
    title: 'Tu proxy cambia o retiene peticiones',
    meaning: 'Hay un proxy o CDN delante de tu dominio. No envía todas las peticiones a {app} sin cambios.',
    hint: 'Haz que el proxy envíe cada petición con su ruta, sus cabeceras y sus cookies, y desactiva la caché. O desactiva el proxy.',
  },
  proxy_unreachable: {
    title: 'Tu proxy no responde',
    meaning: 'Hay un proxy o CDN delante de tu dominio, y los visitantes no llegan a {app} a través de él.',
    hint: 'Revisa la configuración del proxy. Si redirige a HTTPS, deja pasar /.well-known/ por HTTP hasta que el dominio esté activo.',
  },
  proxy_https_failed: {
    title: 'HTTPS falla en tu proxy',
    meaning:
      'Los visitantes ven un error: tu proxy no tiene un certificado válido o no llega a {app} por HTTPS.',
    hint: 'Instala en el proxy un certificado válido para el dominio. O desactiva el proxy.',
  },
  dns_proxied: {
    title: 'El registro pasa por el proxy del proveedor de DNS',
    meaning:
      'El nombre apunta a las direcciones de un proxy y no a las nuestras. La autoridad de certificación no puede validarlo y los visitantes dan un rodeo.',
    hint: 'Pon el registro[ {name}] en «DNS only» (en Cloudflare, haz clic en la nube naranja hasta que sea gris)[. Encontrado: {found}].',
  },
  dns_reserved_address: {
    title: 'La dirección es privada o reservada',
    meaning: 'El nombre apunta a una dirección que no es accesible desde internet.',
    hint: 'Sustituye la dirección[ {found}][ en {name}] por un registro que apunte a nosotros[: tipo {type}][, valor {expected}].',
  },
  dns_stale_aaaa: {
    title: 'El registro AAAA apunta a otro sitio',
    meaning:
      'El registro A es correcto, pero el registro AAAA lleva a los visitantes con IPv6 y a la autoridad de certificación a otro servidor.',
    hint: 'Elimina el registro AAAA[ {found}][ en {name}][, o sustitúyelo por {expected}].',
  },
  dns_extra_addresses: {
    title: 'El nombre también tiene direcciones ajenas',
    meaning:
      'Algunos visitantes y la autoridad de certificación llegan a otro servidor, porque el nombre también tiene sus direcciones.',
    hint: 'Elimina las direcciones que no son nuestras[ en {name}][: {found}][. Deja solo {expected}].',
  },
  dns_record_mismatch: {
    title: 'El registro apunta a otro sitio',
    meaning: 'Hay un registro con ese nombre, pero apunta a otro servicio.',
    hint: 'Cambia el registro[ {name}] para que apunte a nosotros[: tipo {type}][, valor {expected}][. Ahora apunta a {found}].',
  },
  dns_record_missing: {
    title: 'Falta el registro',
    meaning: 'El dominio está bien, pero no hay ningún registro con ese nombre.',
    hint: 'En el proveedor de DNS, añade un registro[ de tipo {type}][ con el nombre {name}][ y el valor {expected}].',
  },
  dns_https_elsewhere: {
    title: 'El registro HTTPS apunta a otro sitio',
    meaning:
      'Un registro HTTPS indica a los navegadores el servidor, el puerto y las claves. Este los lleva a otro servidor, digan lo que digan los demás registros.',
    hint: 'Elimina el registro HTTPS[ en {name}][: {found}].',
  },
  dns_txt_mismatch: {
    title: 'El registro TXT tiene otro valor',
    meaning: 'Hay un registro TXT con ese nombre, pero sin el valor que demuestra que el dominio es tuyo.',
    hint: 'Cambia el registro TXT[ {name}][ a {expected}, sin comillas][. Ahora contiene {found}].',
  },
  dns_txt_missing: {
    title: 'Falta el registro TXT',
    meaning:
      'Las direcciones por sí solas no demuestran que el dominio es tuyo. El registro TXT sí, y falta.',
    hint: 'En el proveedor de DNS, añade un registro TXT[ con el nombre {name}][ y el valor {expected}][. Ahora el valor está en {found}].',
  },
  dns_ns_mismatch: {
    title: 'Las listas de servidores de nombres no coinciden',
    meaning:
      'Los servidores de nombres del registrador no son los de la propia zona, así que puede haber dos versiones del dominio en uso.',
    hint: 'En el registrador, indica los servidores de nombres que el proveedor de DNS da para este dominio[: {expected}][. Ahora: {found}].',
  },
  dns_acme_challenge_conflict: {
    title: 'Los certificados están delegados a otro proveedor',
    meaning:
      'Un CNAME en _acme-challenge permite a otro proveedor obtener certificados para este nombre, lo que puede interferir con los nuestros.',
    hint: 'Elimina el CNAME en _acme-challenge[ ({name})], salvo que el proveedor que hay detrás[, {found},] siga en uso.',
  },
  dns_provider_syncing: {
    title: 'El proveedor de DNS está copiando el cambio',
    meaning:
      'Los servidores de nombres del dominio aún no coinciden: el proveedor copia el cambio de uno a otro.',
    hint: 'No tienes que hacer nada: espera {wait} hasta que todos los servidores de nombres del proveedor tengan el registro nuevo[. Aún no: {found}].',
  },
  dns_propagating: {
    title: 'El cambio se está propagando',
    meaning: 'El registro es correcto. Una parte de internet todavía usa el anterior.',
    hint: 'No tienes que hacer nada: espera {wait} hasta que caduque la respuesta anterior[. Un resolutor todavía tiene {found}].',
  },
  dns_resolver_blocks: {
    title: 'Un servicio de DNS bloquea tu dominio',
    meaning:
      'El operador de un gran servicio de DNS bloquea tu dominio para sus usuarios, a menudo porque aparece en una lista de nombres inseguros.',
    hint: 'Pide al operador[ de {found}] que desbloquee tu dominio. Hasta entonces, quienes usan ese servicio no pueden abrir tu sitio.',
  },
  dns_resolver_unavailable: {
    title: 'Ahora no hemos podido comprobar',
    meaning:
      'Un servidor DNS no ha respondido. Eso no dice nada de tu registro. Lo intentamos de nuevo automáticamente.',
    hint: 'Si el registro de abajo aún no existe, añádelo ahora.',
  },
  caa_forbids: {
    title: 'Nuestro certificado aún no está permitido',
    meaning:
      'Un registro CAA de tu dominio enumera las empresas que pueden emitir certificados para él. La nuestra no está entre ellas.',
    hint: 'Añade un registro CAA que autorice a nuestra autoridad de certificación[ en {name}][: {expected}]. Conserva los registros existentes[: {found}].',
  },
  caa_lookup_failed: {
    title: 'No podemos ver quién puede emitir certificados',
    meaning:
      'Los servidores de tu proveedor de DNS fallan cuando se les piden los registros CAA. Sin respuesta, no se puede emitir ningún certificado.',
    hint: 'Pregunta al proveedor de DNS por qué fallan sus servidores cuando se les piden los registros CAA[ en {name}]. Lo intentamos de nuevo automáticamente.',
  },
  ca_rejected: {
    title: 'La autoridad de certificación rechaza el nombre',
    meaning: 'Las normas de la autoridad de certificación no permiten un certificado para este nombre.',
    hint: 'La autoridad de certificación no emite certificados para este nombre. Pide ayuda a {app}.',
  },
  ca_refused: {
    title: 'Por ahora no obtenemos el certificado',
    meaning: 'La autoridad de certificación nos pide actuar primero. Tus registros DNS no son la causa.',
    hint: 'No tienes que cambiar nada en tu DNS. Pide ayuda a {app}.',
  },
  ca_challenge_failed: {
    title: 'La autoridad de certificación no pudo acceder al nombre',
    meaning:
      'La autoridad de certificación se conecta desde varios lugares del mundo. Algunas de sus conexiones no nos llegaron.',
    hint: 'Comprueba que el nombre solo apunte a nosotros[ ({expected})] desde cualquier lugar, y que ningún cortafuegos o filtro por países lo impida[. Encontrado: {found}].',
  },
  ca_rate_limited: {
    title: 'La autoridad de certificación nos pide esperar',
    meaning: 'La autoridad de certificación limita cuántos certificados emite para un dominio en un período.',
    hint: 'No tienes que hacer nada: lo intentamos de nuevo automáticamente[ después de {wait}].',
  },
  ca_unavailable: {
    title: 'La autoridad de certificación no responde',
    meaning: 'La autoridad de certificación tuvo un error o no respondió a tiempo.',
    hint: 'No tienes que hacer nada: lo intentamos de nuevo automáticamente.',
  },
  edge_not_ready: {
    title: 'Nuestros servidores aún no están listos para el certificado',
    meaning:
      'Comprobamos nuestros servidores antes que la autoridad de certificación, y otra vez antes de activar el dominio. No respondieron como debían, así que nos hemos detenido.',
    hint: 'No tienes que hacer nada: el fallo es nuestro y lo intentamos de nuevo automáticamente.',
  },
  hostname_routed_elsewhere: {
    title: 'Otro servicio usa este dominio',
    meaning: 'Un dominio solo puede estar conectado con un servicio a la vez. El tuyo lo está con otro.',
    hint: 'Primero desconecta el dominio del otro servicio. Después restablece los registros para {app}.',
  },
  whitelabel_unverified: {
    title: '{app} tiene que corregir algo',
    meaning: 'Tu registro apunta a una dirección de {app} que ahora mismo no funciona.',
    hint: 'No tienes que hacer nada. Si se alarga, pregunta a {app}.',
  },
  whitelabel_ended: {
    title: 'El registro necesita un valor nuevo',
    meaning: 'Tu registro apunta a una dirección que {app} ya no usa.',
    hint: 'Cambia el registro al valor de abajo.',
  },
};

export const ES_WAITS: Texts['waits'] = {
  fewMinutes: 'unos minutos',
  atMost: 'como máximo {duration}',
};
