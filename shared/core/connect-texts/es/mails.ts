import type { Texts } from '../catalog.ts';

export const ES_MAILS: Texts['mails'] = {
  confirmSubject: 'Confirma tu correo para {hostname}',
  confirmAsked: 'Nos has pedido que te avisemos cuando {hostname} esté conectado con {app}.',
  confirmOpen: 'Para recibir ese correo, abre esta página y confirma tu dirección:',
  confirmIgnore: 'Si no lo has pedido, ignora este correo. No volveremos a escribirte.',
  liveSubject: '{hostname} está activo',
  liveText: '{hostname} está conectado con {app} y funciona por HTTPS:',
  brokenSubject: '{hostname} ha dejado de funcionar: hay que corregir su DNS',
  brokenText: '{hostname} ya no lleva a {app}, porque su DNS ha cambiado.',
  toDo: 'Qué hacer:',
  onlyThese:
    'Has pedido este correo. Escribimos cuando el dominio se activa y cuando se interrumpe su conexión.',
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
