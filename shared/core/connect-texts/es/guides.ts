import type { Texts } from '../catalog.ts';

export const ES_GUIDES: Texts['guides'] = {
  signIn: 'Inicia sesión en {at}.',
  signInOpen: 'Inicia sesión en {at} y abre {menu}.',
  signInDomains: 'Inicia sesión en {at} y abre tus dominios.',
  signInChoose: 'Inicia sesión en {at} y elige {domain}.',
  signInChooseUnder: 'Inicia sesión en {at} y elige {domain} en {menu}.',
  signInProject: 'Inicia sesión en {at}, elige el proyecto y abre {menu}.',
  signInTeam: 'Inicia sesión en {at}, elige el equipo y abre {menu}.',
  signInSite: 'Inicia sesión en {at} y abre {menu} del sitio web.',
  choose: 'Elige {domain}.',
  chooseOpen: 'Elige {domain} y después {menu}.',
  chooseRecords: 'Elige {domain} y abre sus registros.',
  chooseClick: 'Elige {domain} y haz clic en {button}.',
  openRecords: 'Abre sus registros.',
  open: 'Abre {menu}.',
  openChoose: 'Abre {menu} y elige {domain}.',
  openClick: 'Abre {menu} y haz clic en {button} junto a los registros.',
  openBeside: 'Abre {menu} junto a {domain}.',
  clickBesideOpen: 'Haz clic en {button} junto a {domain} y abre {menu}.',
  gearBeside: 'Haz clic en el engranaje junto a {domain} y elige {menu}.',
  menuBeside: 'Abre el menú junto a {domain} y elige {menu}.',
  pencilBeside: 'Haz clic en el lápiz junto a {domain}.',
  globeBeside: 'Haz clic en el globo, {button}, junto a {domain}.',
  typeTab: 'Elige la pestaña del tipo de registro.',
  typeTabUnder: 'Elige la pestaña del tipo de registro en {menu}.',
  click: 'Haz clic en {button}.',
  clickType: 'Haz clic en {button} y elige el tipo.',
  clickUnder: 'Haz clic en {button} en {menu}.',
  clickInType: 'Haz clic en {button} en la sección del tipo de registro.',
  clickBesideType: 'Haz clic en {button} junto al tipo de registro.',
  clickAdvanced: 'Haz clic en {button} junto a los registros DNS avanzados y añade un registro.',
  plusBesideType: 'Haz clic en el signo más junto al tipo de registro.',
  addRecord: 'Añade un registro.',
  typeInForm: 'Elige el tipo en el formulario de un registro nuevo.',
  formUnder: 'Rellena el formulario en {menu}.',
  rowForRecord: 'Rellena la fila de un registro nuevo.',
  formForDomain: 'Usa {button} para el propio {domain} y {option} para un nombre por debajo.',
  simpleRouting: 'Deja la política de enrutamiento en {value} y {option} desactivado.',

  anySignIn:
    'Inicia sesión donde gestionas el DNS de {domain}: normalmente la empresa donde compraste {domain} o la que aloja su sitio web.',
  anyChoose:
    'Elige {domain} y abre sus registros DNS. La página puede llamarse DNS, Zone Editor o Advanced DNS.',
  anyName:
    'La mayoría de los proveedores añaden {domain} al nombre automáticamente, así que escribe el nombre exactamente como aparece arriba. Si el formulario no acepta @, deja el nombre vacío. Si el valor guardado termina en {domain}, pon un punto al final del valor.',
  deleteOthers: 'Elimina o cambia cualquier otro registro con el nombre {name}: el CNAME debe ser el único.',
  deleteAtApex:
    'Elimina o cambia los registros A, AAAA y CNAME que el propio {domain} ya tenga. Conserva sus registros MX, NS y TXT.',
  deleteAtApexAndWww:
    'Elimina o cambia los registros A, AAAA y CNAME que el propio {domain} ya tenga, y cualquier otro registro con el nombre {name}. Conserva los registros MX, NS y TXT.',
  fillOne:
    'Rellena el formulario con el registro {type} de arriba y guárdalo. Deja los demás campos, como el TTL, con sus valores predeterminados.',
  fillMany:
    'Rellena el formulario una vez por cada uno de los {count} registros de arriba y guarda cada uno. Deja los demás campos, como el TTL, con sus valores predeterminados.',
};

export const ES_CAUTIONS: Texts['cautions'] = {
  oneRecordSet:
    '{at} guarda todos los valores del mismo nombre y tipo en un solo registro: introdúcelos juntos.',
  submitChanges: 'Un cambio solo tiene efecto cuando lo revisas y lo envías.',
  defaultLine: 'Deja la línea en {value}. Con cualquier otra, solo algunos visitantes ven el registro.',
  optionOff: 'Deja {option} en {value}.',
  ownRecords:
    '{at} añade registros propios para {domain} y www: cambia o elimina el que tenga el mismo nombre.',
  parkingRecords: 'Un dominio nuevo tiene registros de aparcamiento: elimina los que tengan el mismo nombre.',
  newZoneRecords:
    'Una zona nueva tiene un registro A para {domain} y un CNAME para todos los nombres por debajo. Cambia o elimina el que tenga el mismo nombre.',
  apexRecord: 'Si conectas el propio {domain}, elimina el registro {type} que {at} ha puesto allí.',
  apexParked:
    'Si conectas el propio {domain} y el dominio es nuevo, elimina también el registro A llamado @ con el valor {value}.',
  presetRecords:
    'El ajuste predeterminado {option} tiene registros para {domain} y www. Si conectas uno de ellos, elimina primero ese ajuste.',
  accelerationOff:
    'Deja {option} desactivado para estos registros. Si no, el nombre apunta a direcciones de {at}.',
  orangeCloud:
    'Desactiva la nube naranja, para que el estado del proxy de cada registro sea {value} con una nube gris. Con el proxy, el nombre apunta a direcciones de {at}. Conectarlo requiere entonces más pasos o falla.',
  dotAfterCname: 'Termina el valor de un CNAME con un punto. Si no, {at} le añade {domain}.',
  checkValue:
    'Mira la lista después de guardar el registro. Si el valor de un CNAME termina en {domain}, cámbialo y pon un punto al final.',
  checkName:
    'Mira la lista después de guardar el registro. Su nombre debe ser tu nombre de host completo y contener {domain} una sola vez.',
  onlyHost: 'Escribe solo el nombre que aparece arriba: {at} le añade {domain}.',
  deleteSameName: 'Si hay un registro de tipo {type} con el mismo nombre, elimínalo primero.',
  deleteRedirect:
    'Si hay una redirección o una página de aparcamiento para el mismo nombre, desactívala primero.',
  featureOff: 'Desactiva primero {option} para este nombre.',
  parkingOff:
    '{at} no publica ninguno de tus registros mientras los ajustes de DNS estén en {option} o {value}.',
  hostedName:
    'Mientras {domain} esté alojado en {at}, no puedes quitar sus registros A y AAAA. Pon primero el alojamiento de ese nombre en {value}.',
  reseller:
    'Muchas empresas venden dominios a través de {at}. Si no tienes cuenta allí, inicia sesión en la empresa donde compraste el dominio.',
  movedTo:
    'Si compraste el dominio en {option}, inicia sesión en {value}: sus dominios se han trasladado allí.',
  oldConsole: 'Si nunca trasladaste la zona a {option}, está en {value}.',
  liveNameServers: 'Los servidores de nombres {value} son correctos: también sirven dominios activos.',
  switchedOff:
    'Si un sitio web, una redirección o el correo de {at} usan el mismo nombre, {at} enumera los registros que desactiva. Confirma solo si ya no necesitas ese servicio allí.',
  hostingPanel: 'Con alojamiento en {at}, los registros están en {menu}.',
  otherHost:
    'Si el formulario pregunta a qué se refiere el registro, elige {value} para un nombre por debajo de {domain}.',
  quotedTxt: 'Pon el valor de un registro TXT entre comillas dobles rectas.',
  onePerLine: 'Introduce varios valores en la misma casilla, uno por línea.',
  twoZones:
    'Si hay dos zonas alojadas para {domain}, usa aquella cuyos servidores de nombres están indicados en el registrador.',
  ownProject:
    'Si un proyecto de {at} tiene el mismo nombre de host, los visitantes siguen viendo ese proyecto. Quita el nombre de host de {menu} en los ajustes del proyecto.',
  ownSite:
    'Mientras {domain} esté conectado a un sitio de {at}, el sitio usa {domain} y www. Si conectas uno de ellos, desconecta primero el sitio.',
  noAaaa: 'Si {at} no tiene sección para AAAA, omite ese registro.',
};

export const ES_PANEL_NAMES: Texts['panelNames'] = {
  label: '«{name}»',
  value: '«{name}»',
  path: ' › ',
  next: ' ',
};
