import type { Texts } from '../catalog.ts';

export const ES_PAGE: Texts['page'] = {
  skip: 'Ir al contenido',
  language: 'Idioma',
  connectTo: 'Conecta tu dominio con {app}',
  connectedTo: 'Conectado con {app}',
  inDns: 'En el DNS: {hostname}',
  lookAlike:
    'Este nombre tiene letras que se parecen a otras. Escrito completo es {unicode}. Continúa solo si ese es el nombre que esperas.',
  testTitle: 'Este es un dominio de prueba.',
  testText:
    'Tus clientes verán la misma página. Un temporizador lleva el dominio por los pasos, normalmente en menos de diez segundos. No tienes que añadir ningún registro DNS, no buscamos ninguno y ningún visitante se ve afectado.',
  closeUntil: 'Seguimos buscando hasta el {time}.',
  close: 'Seguimos buscando.',
  reload: 'Recarga esta página para ver el estado actual.',
  offline: 'Ahora mismo no podemos conectar con el servidor. Esta página lo sigue intentando.',
  copied: 'Copiado',
  copiedWhat: 'Copiado: {what}',
  copiedLink: 'Enlace a esta página copiado',
  copyFailed: 'No se pudo copiar. Selecciona el texto.',
  selectIt: 'Selecciónalo',
  justNow: 'ahora mismo',
  soon: 'en unos segundos',
  utc: '{time} UTC',

  steps: 'Pasos hasta que el dominio esté activo',
  stepDone: '(hecho)',
  stepNow: '(en curso)',
  stepLater: '(pendiente)',
  stepRecord: { title: 'Encontrado', now: 'Buscándolo…' },
  stepConfirmed: { title: 'Confirmado', now: 'Confirmando en todo el mundo' },
  stepSecured: { title: 'Protegido', now: 'Certificado para https' },
  stepLive: { title: 'Activo', now: 'Listo para visitantes' },
  openHostname: 'Abrir {hostname}',

  addRecords: {
    one: 'Añade este registro en {provider}',
    other: 'Añade estos {count} registros en {provider}',
  },
  setRecords: {
    one: 'Restablece este registro en {provider}',
    other: 'Restablece estos {count} registros en {provider}',
  },
  yourProvider: 'tu proveedor de DNS',
  keptRecords: { one: 'Registro DNS de esta conexión', other: 'Registros DNS de esta conexión' },
  removableRecords: {
    one: 'Registro DNS que puedes eliminar',
    other: 'Registros DNS que puedes eliminar',
  },
  wholeRecords: { one: 'El registro completo', other: 'Todos los registros' },
  newProof:
    'Mientras tanto, este dominio se conectó a otro servicio. Para trasladarlo aquí, usa este valor: el anterior ya no sirve.',
  recordOf: 'Registro {at} de {count}',
  oneClickText: {
    one: 'Inicia sesión en {provider} y confirma. El registro se añade por ti y vuelves a esta página.',
    other: 'Inicia sesión en {provider} y confirma. Los registros se añaden por ti y vuelves a esta página.',
  },
  oneClickButton: 'Conectar automáticamente con {provider}',
  oneClickElse: { one: 'O añade el registro por tu cuenta:', other: 'O añade los registros por tu cuenta:' },
  oneClickWaits: 'Esperando a {provider}. En cuanto confirmes allí, esta página continuará por sí sola.',
  fixAt: 'Corrige esto en {provider}',
  openRecords: 'Abre los registros DNS de {domain}',
  usuallyThere: 'Normalmente, donde compraste {domain}.',
  enterRecords: { one: 'Escribe esto en el formulario', other: 'Escribe cada registro en el formulario' },
  saveRecords: 'Guarda. Nosotros hacemos el resto.',
  openProvider: 'Abrir {provider}',
  showMeHow: 'Ver cómo se hace, paso a paso',
  standsForDomain: 'Representa al propio {domain}.',
  withoutDomain: 'Escribe exactamente esto, sin añadir {domain}.',
  fieldType: 'Tipo',
  fieldName: 'Nombre',
  fieldValue: 'Valor',
  leaveEmpty: 'déjalo vacío',
  copy: 'Copiar',
  copyWhat: 'Copiar: {what}',
  whatField: '{field}',
  whatFieldOf: '{field} del registro {at}',
  copyLink: 'Copiar enlace',
  copyLinkWhat: 'Copiar enlace a esta página',

  notProvider: '¿No es {provider}?',
  whichProvider: '¿Qué proveedor de DNS usas?',
  chooseProvider: 'Proveedor de DNS',
  anotherProvider: 'Otro proveedor',
  showSteps: 'Ver los pasos',

  toFix: 'Qué hay que corregir',
  weSee: 'Lo que vemos',
  weSeeNow: 'Lo que vemos ahora',
  nothing: 'nada',
  shouldBe: 'Lo que debería haber',
  whatShouldBe: 'lo que debería haber',
  toDo: 'Qué hacer',
  addRecord: 'Añade este registro',
  changeRecord: 'Cambia este registro',
  deleteRecord: 'Elimina este registro',
  replaceValue: 'Sustituye',
  withValue: 'por',
  whatChangedName: 'nombre del registro',
  whatNewValue: 'valor nuevo',

  checks: 'Comprobaciones',
  notFoundYet: {
    one: 'Todavía no hemos encontrado el registro.',
    other: 'Todavía no hemos encontrado los registros.',
  },
  notChecked: 'Aún sin comprobar',
  lastChecked: 'Última comprobación: {time}',
  nextCheck: 'Próxima comprobación: {time}',
  checkNow: 'Comprobar ahora',
  checkAgain: 'Comprobar de nuevo',
  tryAgain: 'Reintentar ahora',

  moveTitle: '¿{hostname} ya tiene visitantes?',
  moveText: {
    one: 'Entonces añade primero este registro. No cambia nada para tus visitantes y nos permite preparar el certificado antes de que cambies el registro de arriba.',
    other:
      'Entonces añade primero este registro. No cambia nada para tus visitantes y nos permite preparar el certificado antes de que cambies los registros de arriba.',
  },
  moveWww: 'Para {hostname}, añade también este registro:',
  whatFieldOfFirst: '{field} del primer registro',

  notifyTitle: 'Avisarme por correo',
  address: 'Tu correo electrónico',
  notifyButton: 'Avisarme',
  notifyUse:
    'Recibirás un correo para confirmar tu dirección, otro cuando el dominio esté activo y otro si más tarde se interrumpe la conexión. Nada más.',

  colleagueTitle: '¿Otra persona gestiona el dominio?',
  colleagueText: 'Envíale el enlace a esta página. Verá lo mismo y no necesita una cuenta.',
  writeMail: 'Escribir un correo',
  askTitle: 'Pregunta a {app}',
  contactApp: 'Contactar con {app}',
  backToApp: 'Volver a {app}',
};

export const ES_STATUS: Texts['status'] = {
  pending: {
    headline: { one: 'Esperando tu registro DNS', other: 'Esperando tus registros DNS' },
    text: 'Seguimos buscando: puedes cerrar esta página y volver más tarde.',
  },
  switch: {
    headline: 'Ya puedes hacer el cambio',
    text: 'El certificado de {hostname} está listo. Tus visitantes no notarán el cambio.',
  },
  fix: {
    headline: 'Hay algo que corregir',
    text: 'Todavía no podemos conectar {hostname}. En cuanto esté corregido, continuamos automáticamente.',
  },
  appFix: {
    headline: '{app} tiene que corregir algo',
    text: 'Tu registro DNS es correcto: déjalo como está. En cuanto {app} corrija su propia dirección, {hostname} se conectará automáticamente.',
  },
  verifying: {
    headline: { one: 'Hemos encontrado tu registro', other: 'Hemos encontrado tus registros' },
    text: 'Ahora esperamos a que el cambio sea visible en todo el mundo. Suele tardar unos minutos. No tienes que hacer nada más.',
  },
  issuing: {
    headline: { one: 'Tu registro es correcto', other: 'Tus registros son correctos' },
    text: 'Estamos obteniendo el certificado de seguridad (el candado de la barra de direcciones). Suele tardar menos de un minuto.',
  },
  active: {
    headline: 'Tu dominio está activo',
    text: {
      one: 'Quien visita {hostname} ya llega a {app} por https. No quites el registro DNS: la conexión depende de él.',
      other:
        'Quien visita {hostname} ya llega a {app} por https. No quites los registros DNS: la conexión depende de ellos.',
    },
  },
  activeTest: {
    headline: 'Tu dominio de prueba está activo',
    text: 'Con un dominio real, quien visitara {hostname} llegaría a {app} por https. En esta prueba no cambia nada para nadie.',
  },
  broken: {
    headline: 'La conexión se ha interrumpido',
    text: 'Cuando tu DNS esté correcto, reconectaremos {hostname} automáticamente.',
  },
  failed: {
    headline: 'Aún no hay certificado de seguridad',
    text: {
      one: 'Tu registro DNS es correcto, pero no hemos podido obtener el certificado (el candado de la barra de direcciones). Lo volvemos a intentar cada día. Cuando el problema de abajo esté corregido, también puedes reintentarlo enseguida.',
      other:
        'Tus registros DNS son correctos, pero no hemos podido obtener el certificado (el candado de la barra de direcciones). Lo volvemos a intentar cada día. Cuando el problema de abajo esté corregido, también puedes reintentarlo enseguida.',
    },
  },
  failedWaits: {
    headline: 'El certificado de seguridad tarda más',
    text: {
      one: 'Tu registro DNS es correcto. Todavía no hemos podido obtener el certificado (el candado de la barra de direcciones) y lo seguimos intentando automáticamente. No tienes que hacer nada.',
      other:
        'Tus registros DNS son correctos. Todavía no hemos podido obtener el certificado (el candado de la barra de direcciones) y lo seguimos intentando automáticamente. No tienes que hacer nada.',
    },
  },
  failedRenewal: {
    headline: 'No hemos podido renovar el certificado',
    text: 'Tu dominio sigue funcionando por ahora. Lo volvemos a intentar cada día. Cuando el problema de abajo esté corregido, también puedes reintentarlo enseguida.',
  },
  expired: {
    headline: 'Se acabó el plazo de configuración',
    text: {
      one: 'No hemos encontrado el registro DNS en tres días, así que hemos dejado de buscarlo. Pide a {app} que reinicie la configuración; este enlace volverá a funcionar.',
      other:
        'No hemos encontrado los registros DNS en tres días, así que hemos dejado de buscarlos. Pide a {app} que reinicie la configuración; este enlace volverá a funcionar.',
    },
  },
  held: {
    headline: 'Este dominio está en revisión',
    text: 'Está en pausa hasta que termine la revisión y después continuará automáticamente. No tienes que hacer nada. Si tienes preguntas, habla con {app}.',
  },
  deleted: {
    headline: 'Este dominio ya no está conectado',
    text: {
      one: '{app} lo ha quitado. Ya puedes eliminar el registro DNS que añadiste para él.',
      other: '{app} lo ha quitado. Ya puedes eliminar los registros DNS que añadiste para él.',
    },
  },
};
