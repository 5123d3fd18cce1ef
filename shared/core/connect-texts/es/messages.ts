import type { Texts } from '../catalog.ts';

export const ES_MESSAGES: Texts['messages'] = {
  checking: 'Estamos comprobando. El resultado aparecerá aquí en unos segundos.',
  checkingUnscripted: 'Después, recarga la página.',
  checkedRecently: 'Lo hemos comprobado hace unos segundos. Espera 15 segundos entre comprobaciones.',
  nothingToCheck: 'Ahora mismo no hay nada que comprobar.',
  checkProvider:
    'Has vuelto de tu proveedor de DNS. Estamos buscando el cambio y esta página continúa por sí sola.',
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
