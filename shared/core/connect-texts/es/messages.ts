import type { Texts } from '../catalog.ts';

export const ES_MESSAGES: Texts['messages'] = {
  checking: 'Estamos comprobando. El resultado aparecerá aquí en unos segundos.',
  checkingUnscripted: 'Después, recarga la página.',
  checkedRecently: 'Lo hemos comprobado hace unos segundos. Espera 15 segundos entre comprobaciones.',
  nothingToCheck: 'Ahora mismo no hay nada que comprobar.',
  checkProvider:
    'Has vuelto del sitio de tu proveedor de DNS. Estamos buscando el cambio y esta página continúa por sí sola.',
  checkProviderRefused:
    'Tu proveedor de DNS no ha cambiado nada. Puedes intentarlo de nuevo o añadir el registro por tu cuenta.',
  mailSent: 'Revisa tu bandeja de entrada. Te hemos enviado un enlace de confirmación.',
  mailAddress: 'Esto no parece una dirección de correo. Debería ser como ada@example.com.',
  mailTooOften: 'Se han pedido demasiados correos aquí. Inténtalo de nuevo mañana.',

  refused: {
    headline: 'Esto no ha funcionado',
    text: 'No hemos podido aceptar tu solicitud. Abre la página otra vez desde su enlace e inténtalo de nuevo.',
  },
  notFound: {
    headline: 'Este enlace no funciona',
    text: 'Está incompleto o ya no es válido. Pide uno nuevo a la persona que te lo envió.',
  },
  failed: {
    headline: 'Algo ha fallado por nuestra parte',
    text: 'Inténtalo de nuevo en un momento. No se ha perdido nada y la configuración continúa automáticamente.',
  },
  busy: {
    headline: 'Estamos saturados en este momento',
    text: 'Inténtalo de nuevo en un momento. No se ha perdido nada y la configuración continúa automáticamente.',
  },

  mailTitle: 'Correo sobre {hostname}',
  confirmTitle: '¿Quieres que te escribamos?',
  confirmText:
    'Te escribiremos cuando {hostname} esté conectado con {app}, y si más tarde se interrumpe esa conexión. Nada más.',
  confirmYes: 'Sí, quiero recibirlos',
  confirmNo: 'No lo he pedido',
  confirmedTitle: 'Tu dirección está confirmada',
  confirmedText:
    'Recibirás un correo cuando {hostname} esté conectado con {app}, y si más tarde se interrumpe esa conexión. Puedes cerrar esta página.',
  confirmedNo: 'Al final, no quiero correos',
  stopTitle: '¿Dejar de recibir correos?',
  stopText: 'No te enviaremos nada más sobre {hostname} y eliminaremos tu dirección.',
  stopButton: 'Dejar de recibir correos',
  stoppedTitle: 'No recibirás más correos',
  stoppedText: 'Hemos eliminado tu dirección. Puedes cerrar esta página.',
  linkEndedTitle: 'Este enlace ya no es válido',
  linkEndedText: 'Ya no enviamos correos relacionados con él. Puedes cerrar esta página.',
};

export const ES_MAILS: Texts['mails'] = {
  confirmSubject: 'Confirma tu correo para {hostname}',
  confirmAsked: 'Nos has pedido que te avisemos cuando {hostname} esté conectado con {app}.',
  confirmOpen: 'Para recibir ese correo, abre esta página y confirma tu dirección:',
  confirmButton: 'Confirmar mi dirección',
  confirmIgnore: 'Si no lo has pedido, ignora este correo. No volveremos a escribirte.',
  liveSubject: '{hostname} está activo',
  liveText: '{hostname} está conectado con {app} y funciona por HTTPS. No quites su registro DNS.',
  brokenSubject: '{hostname} ha dejado de funcionar: hay que corregir su DNS',
  brokenText: '{hostname} ya no lleva a {app}, porque su DNS ha cambiado.',
  toDo: 'Qué hacer:',
  onlyThese:
    'Has pedido este correo. Te escribimos cuando el dominio se activa y cuando se interrumpe su conexión.',
  stop: 'Para no recibir más correos, abre esta página:',

  hello: 'Hola:',
  pleaseAdd: {
    one: '¿Podrías añadir el siguiente registro DNS para {domain}? Conecta {hostname} con {app}.',
    other: '¿Podrías añadir los siguientes registros DNS para {domain}? Conectan {hostname} con {app}.',
  },
  pleaseChange: '¿Podrías hacer el siguiente cambio para {domain}? Conecta {hostname} con {app}.',
  whatToDo: 'Esto es lo que hay que hacer, según {app}:',
  afterwards: {
    one: 'Después del cambio, el registro DNS debe ser:',
    other: 'Después del cambio, los registros DNS deben ser:',
  },
  pageTells: 'Esta página muestra los pasos y dice si ha funcionado:',
  thanks: '¡Gracias!',
  subjectAdd: { one: 'Registro DNS para {hostname}', other: 'Registros DNS para {hostname}' },
  subjectChange: 'Un cambio para {hostname}',
  restartSubject: 'Reiniciar la configuración de {hostname}',
  questionSubject: 'Una pregunta sobre {hostname}',
  aboutPage: 'Se trata de la configuración de {hostname} para {app}, en esta página:',
  field: '{label}: {value}',
};
